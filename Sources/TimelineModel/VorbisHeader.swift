// SPDX-License-Identifier: MIT

/// Looks into the header of Vorbis in Ogg for how large its tables (codebooks) are. Decoders reserve memory by these numbers, and whoever wrote the file
/// may have written any.
package enum VorbisHeader {
  /// How many entries the tables of the first Vorbis stream have together; more than `limit` if there are more than that, or if its header is not found
  /// within what is looked at. 0 if the file ends before that. `read` returns bytes of the file from an offset on, fewer at its end.
  ///
  /// The packets must be the very ones that libogg and libvorbisfile take, or a file could show small tables here and large ones to them. They pass
  /// over pages of another version, and over the rest of a packet whose beginning they don't have, without a word.
  package static func entries(
    size: Int, limit: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
  ) -> Int {
    var walk = OggWalk(size: size)
    var headers: HeaderPackets?
    while let page = walk.next(read) {
      if headers == nil {
        // A page whose first packet has no end, or is too short for the mark, is not taken for the stream's beginning.
        guard page.begins, !page.continues, page.lengths.contains(where: { $0 < 255 }),
          page.lengths[0] > name.count, page.body.starts(with: [1] + name)
        else { continue }
        headers = HeaderPackets(of: page)
      }
      switch headers?.take(page) {
      case .whole(let setup): return entries(inSetup: setup, limit: limit)
      // libvorbisfile refuses such a header too.
      case .broken: return limit + 1
      case .incomplete, nil: break
      }
    }
    return walk.isCutShort ? limit + 1 : 0
  }

  private static let name = Array("vorbis".utf8)

  /// The same for the header's third packet. Where that contradicts itself, the count ends: no decoder accepts it.
  static func entries(inSetup packet: [UInt8], limit: Int) -> Int {
    guard packet.starts(with: [5] + name) else { return 0 }
    var bits = LittleBits(packet[(1 + name.count)...])
    var total = 0
    for _ in 0..<(bits.take(8) ?? -1) + 1 {
      guard bits.take(24) == 0x564342, let width = bits.take(16), let count = bits.take(24) else { break }
      total += count
      guard total <= limit, bits.skipLengths(of: count), bits.skipValues(of: count, width: width) else {
        break
      }
    }
    return total
  }
}

/// The first three packets of one stream, put together from its pages as libogg does.
private struct HeaderPackets {
  enum Step {
    case incomplete
    /// The third packet.
    case whole([UInt8])
    /// A page is missing, or the third packet is absurdly long.
    case broken
  }

  /// The whole packet has some kilobytes.
  private static let longestSetup = 1 << 20

  private let serial: [UInt8]
  /// The number that the next page must have.
  private var number: UInt32
  private var packets = 0
  private var isInPacket = false
  private var setup: [UInt8] = []

  /// The packets of the stream that begins with this page, which is to be taken next.
  init(of page: OggWalk.Page) { (serial, number) = (page.serial, page.number) }

  mutating func take(_ page: OggWalk.Page) -> Step {
    guard page.serial == serial else { return .incomplete }
    guard page.number == number else { return .broken }
    number &+= 1
    var (place, isOrphan) = (0, page.continues && !isInPacket)
    for length in page.lengths {
      defer { place += length }
      let isEnd = length < 255
      if isOrphan {
        isOrphan = !isEnd
        continue
      }
      if packets == 2 { setup += page.body[place..<place + length] }
      isInPacket = !isEnd
      if isEnd { packets += 1 }
      if packets == 3 { return .whole(setup) }
    }
    return setup.count > Self.longestSetup ? .broken : .incomplete
  }
}

/// The pages of an Ogg file, in order. Bytes between them are passed over, and so are pages with a wrong checksum or of another version, as decoders do.
private struct OggWalk {
  struct Page {
    let begins: Bool
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
        begins: head[5] & 2 != 0, continues: head[5] & 1 != 0, serial: Array(head[14..<18]),
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

/// Reads numbers of any count of bits, the lowest bit of each byte first.
private struct LittleBits {
  private let bytes: ArraySlice<UInt8>
  private var place = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func take(_ count: Int) -> Int? {
    guard place + count <= bytes.count * 8 else { return nil }
    var number = 0
    for bit in 0..<count {
      let at = place + bit
      number |= Int(bytes[bytes.startIndex + at / 8] >> UInt8(at % 8) & 1) << bit
    }
    place += count
    return number
  }

  private mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count * 8 - place else { return false }
    place += count
    return true
  }

  /// Passes over the lengths of the codes of a table. Returns false if there is no such table.
  mutating func skipLengths(of count: Int) -> Bool {
    guard let isOrdered = take(1) else { return false }
    if isOrdered == 1 {
      guard take(5) != nil else { return false }
      var done = 0
      while done < count {
        guard let more = take(Self.width(count - done)), more <= count - done else { return false }
        done += more
      }
      return true
    }
    guard let isSparse = take(1) else { return false }
    if isSparse == 0 { return skip(count * 5) }
    for _ in 0..<count {
      guard let isUsed = take(1), isUsed == 0 || skip(5) else { return false }
    }
    return true
  }

  /// Passes over the values that a table gives its entries.
  mutating func skipValues(of count: Int, width: Int) -> Bool {
    guard let kind = take(4) else { return false }
    if kind == 0 { return true }
    guard kind < 3, skip(64), let bits = take(4), skip(1) else { return false }
    let values = kind == 2 ? count * width : Self.root(of: count, width)
    return skip(values * (bits + 1))
  }

  /// How many bits a number has.
  private static func width(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }

  /// The largest number whose `width`-th power is at most `count`.
  private static func root(of count: Int, _ width: Int) -> Int {
    guard count > 0, width > 0 else { return 0 }
    func fits(_ number: Int) -> Bool {
      var power = 1
      for _ in 0..<width {
        power *= number
        if power > count { return false }
      }
      return true
    }
    var (low, high) = (1, count + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
