// SPDX-License-Identifier: MIT

/// A hash of some bytes in 128 bits, the same in every run. It consists of two hashes like FNV, but over words of eight bytes. Each step also mixes
/// the upper bits into the lower ones, because a multiplication only carries upwards. Equal hashes do not prove equal bytes, so code that relies on
/// equality has to compare the bytes too.
package struct ContentHash: Equatable {
  package private(set) var high: UInt64 = 0xcbf2_9ce4_8422_2325
  package private(set) var low: UInt64 = 0x6c62_272e_07bb_0142

  package init(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        unsafe add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      add(unsafe buffer[whole...].reduce(0) { $0 << 8 | UInt64($1) })
    }
    add(UInt64(bytes.count))
    add(0)
  }

  /// The hash as 32 hexadecimal digits.
  package var text: String { Self.digits(high) + Self.digits(low) }

  private mutating func add(_ word: UInt64) {
    high = (high ^ word) &* 0x0000_0100_0000_01b3
    high ^= high >> 29
    low = (low &+ word) &* 0x9e37_79b9_7f4a_7c15
    low ^= low >> 32
  }

  private static func digits(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

/// Identifies a sound, independently of its file's name and tags. It is made from the sound's format and length and from a piece of the sound itself,
/// so it stays the same when tags or pictures change. Equal fingerprints mean copies of one sound, as far as one can tell without reading all of it.
package struct AudioFingerprint: Sendable, Hashable {
  /// How many bytes a fingerprint has.
  package static let size = 16

  // Two numbers instead of an array, because a library has a fingerprint for each file.
  private let high, low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// The fingerprint with these bytes; nil unless there are 16 of them.
  package init?(rawValue: [UInt8]) {
    guard rawValue.count == Self.size else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: number(rawValue[..<8]), low: number(rawValue[8...]))
  }

  /// The fingerprint as 16 bytes, for files and messages.
  package var rawValue: [UInt8] {
    [high, low].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
  }
}
