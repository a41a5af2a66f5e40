// SPDX-License-Identifier: MIT

/// The pages of an Ogg file, in order. Bytes between them are passed over, and so are pages with a wrong checksum or of another version, as decoders do.
struct OggWalk {
  struct Page {
    let begins: Bool
    let ends: Bool
    /// The time of the end of the last packet that ends in the page, in frames; -1 if none does.
    let time: Int64
    /// Whether the page's first part goes on with a packet that an earlier page has begun, as the page itself says.
    let continues: Bool
    let serial: [UInt8]
    let number: UInt32
    /// The lengths of the page's parts. One of 255 goes on with the next.
    let lengths: [Int]
    let body: ArraySlice<UInt8>
  }

  private static let headSize = 27
  private static let chunk = 64 << 10
  /// How many bytes are looked at until the headers must have come.
  private static let most = 64 << 20

  /// How many pages with a wrong checksum are passed over: a file of nothing but marks would be read anew at each of them.
  private static let mostBroken = 1_000

  private let size: Int
  private let end: Int
  private var place = 0
  private var broken = 0

  init(size: Int) { (self.size, end) = (size, min(size, Self.most)) }

  /// Whether the walk has ended before the end of the file.
  var isCutShort: Bool { size > end || broken > Self.mostBroken }

  mutating func next(_ read: (Int, Int) -> [UInt8]) -> Page? {
    while place + Self.headSize <= end, broken <= Self.mostBroken {
      let head = read(place, Self.headSize)
      guard head.count == Self.headSize else { return nil }
      guard OggMark.stands(in: head, at: 0) else {
        guard search(read) else { return nil }
        continue
      }
      let parts = Int(head[26])
      let lengths = read(place + Self.headSize, parts).map(Int.init)
      let start = Self.headSize + parts
      let length = lengths.reduce(start, +)
      let bytes = read(place, length)
      guard lengths.count == parts, bytes.count == length, Self.checksum(bytes) == Array(bytes[22..<26])
      else {
        (place, broken) = (place + 1, broken + 1)
        continue
      }
      place += length
      if head[4] > 0 { continue }
      return Page(
        begins: head[5] & 2 != 0, ends: head[5] & 4 != 0,
        time: Int64(bitPattern: head[6..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) }),
        continues: head[5] & 1 != 0, serial: Array(head[14..<18]),
        number: head[18..<22].reversed().reduce(0) { $0 << 8 | UInt32($1) }, lengths: lengths,
        body: Self.body(bytes, start))
    }
    return nil
  }

  /// The body with indices from 0 on.
  private static func body(_ bytes: [UInt8], _ start: Int) -> ArraySlice<UInt8> {
    Array(bytes[start...])[...]
  }

  /// Goes to the next mark of a page. Returns false if there is none.
  private mutating func search(_ read: (Int, Int) -> [UInt8]) -> Bool {
    while place + Self.headSize <= end {
      let bytes = read(place, Self.chunk)
      guard bytes.count >= OggMark.size else { return false }
      let last = bytes.count - OggMark.size
      if let found = (0...last).first(where: { OggMark.stands(in: bytes, at: $0) }) {
        place += found
        return true
      }
      place += last + 1
    }
    return false
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { value, _ in value << 1 ^ (value >> 31 == 0 ? 0 : 0x04C1_1DB7) }
  }

  /// The checksum of a page, in which that field counts as zeros.
  private static func checksum(_ page: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 0
    for (index, byte) in page.enumerated() {
      let byte = (22..<26).contains(index) ? 0 : byte
      sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
  }
}
