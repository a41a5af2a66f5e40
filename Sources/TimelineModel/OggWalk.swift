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

/// The mark with which each page of an Ogg file begins.
package enum OggMark {
  private static let bytes = Array("OggS".utf8)

  /// How many bytes the mark has.
  package static let size = 4
  /// The most bytes of a page: its header, the lengths of its parts, and the parts.
  package static let largestPage = 27 + 255 + 255 * 255

  /// The first byte of the mark.
  package static let first = UInt8(ascii: "O")

  /// Whether this byte is in the mark, but not its first.
  package static func goesOn(with byte: UInt8) -> Bool { byte != first && bytes.contains(byte) }

  /// Whether these bytes, which may be fewer than a mark has, are a mark or the beginning of one.
  package static func begins(with start: UnsafeRawBufferPointer) -> Bool {
    unsafe zip(start, bytes).allSatisfy { $0 == $1 }
  }

  /// Whether a mark stands at this index.
  package static func stands(in bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == Self.bytes[0] && bytes[index...].starts(with: Self.bytes)
  }
}

/// Tells whether the times in the pages of Opus in Ogg can be used to find places. Some servers of radio write wrong ones.
package enum OpusTimes {
  /// How many pages with sound are looked at.
  private static let most = 8

  /// Whether each of the first pages is as much later than the page before as its packets last, or more, as where pages were lost. If it is less, there
  /// is more sound than the times say, and a place by time is another than one by sound. `read` returns bytes of the file from an offset on.
  package static func seemTrue(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
    var walk = OggWalk(size: size)
    var stream: [UInt8]?
    var packets = OpusPackets()
    var last: Int64?
    for _ in 0..<most + 2 {
      guard let page = walk.next(read) else { return true }
      // Another song of the chain may begin at any time, and another kind of stream stand between.
      if stream == nil, page.begins, page.body.starts(with: Array("OpusHead".utf8)) { stream = page.serial }
      guard page.serial == stream else { continue }
      let frames = packets.frames(in: page)
      guard page.time >= 0, !page.ends else { continue }
      if let last, frames > 0, page.time - last < frames { return false }
      last = packets.hasSound ? page.time : nil
    }
    return true
  }
}

/// Adds up how long the packets of a stream of Opus last.
private struct OpusPackets {
  /// How many packets have ended so far. The first two are the header.
  private var count = 0
  /// The first two bytes of the packet that has begun.
  private var head: [UInt8] = []

  /// Whether a packet with sound has ended.
  var hasSound: Bool { count > 2 }

  /// How many frames the packets have that end in this page, at 48,000 a second.
  mutating func frames(in page: OggWalk.Page) -> Int64 {
    var (place, frames) = (0, Int64(0))
    for length in page.lengths {
      head += page.body[place..<place + length].prefix(2 - min(2, head.count))
      place += length
      guard length < 255 else { continue }
      count += 1
      if count > 2 { frames += Self.frames(head) }
      head = []
    }
    return frames
  }

  /// How many frames a packet has that begins with these bytes (RFC 6716, section 3).
  private static func frames(_ head: [UInt8]) -> Int64 {
    guard let first = head.first else { return 0 }
    let kind = Int(first >> 3)
    let one: Int64 =
      switch kind {
      case 0..<12: [480, 960, 1_920, 2_880][kind % 4]
      case 12..<16: [480, 960][kind % 2]
      default: [120, 240, 480, 960][kind % 4]
      }
    let number: Int64 =
      switch first & 3 {
      case 0: 1
      case 1, 2: 2
      default: head.count > 1 ? Int64(head[1] & 63) : 0
      }
    return one * number
  }
}
