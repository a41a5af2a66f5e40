// SPDX-License-Identifier: MIT

/// A checksum that finds damage, but not forgery. It is FNV over words; after each word the upper bits are mixed into the lower ones,
/// because a product only carries upwards.
struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ bytes: ArraySlice<UInt8>) { add(bytes) }
  init(_ bytes: [UInt8]) { add(bytes[...]) }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        unsafe add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      add(unsafe buffer[whole...].reduce(0) { $0 << 8 | UInt64($1) })
      add(UInt64(buffer.count))
    }
  }

  private mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01b3
    value ^= value >> 29
  }
}
