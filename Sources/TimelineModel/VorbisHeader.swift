// SPDX-License-Identifier: MIT

/// Looks into the header of Vorbis in Ogg for how large its tables (codebooks) are. Decoders reserve memory by these numbers, and whoever wrote the file
/// may have written any.
package enum VorbisHeader {
  /// How large the tables of a header are together.
  package struct Tables: Sendable, Equatable {
    package var entries: Int
    /// The numbers that a decoder computes for the entries: for each as many as the table has dimensions, if it gives its entries values at all.
    package var values: Int

    package init(entries: Int = 0, values: Int = 0) { (self.entries, self.values) = (entries, values) }

    package func fits(_ limit: Tables) -> Bool { entries <= limit.entries && values <= limit.values }
  }

  /// The tables of the first Vorbis stream; some that do not fit `limit` if there are more. None are there if the file ends before its header. Nil if the
  /// header is damaged, or not found within what is looked at. `read` returns bytes of the file from an offset on, fewer at its end.
  ///
  /// The packets must be the very ones that libogg and libvorbisfile take, or a file could show small tables here and large ones to them. They pass
  /// over pages of another version, and over the rest of a packet whose beginning they don't have, without a word.
  package static func tables(
    size: Int, limit: Tables, read: (_ offset: Int, _ count: Int) -> [UInt8]
  ) -> Tables? {
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
      case .whole(let setup): return tables(inSetup: setup, limit: limit)
      // libvorbisfile refuses such a header too.
      case .broken: return nil
      case .incomplete, nil: break
      }
    }
    return walk.isCutShort ? nil : Tables()
  }

  private static let name = Array("vorbis".utf8)

  /// The same for the header's third packet. Where that contradicts itself, the count ends: no decoder accepts it.
  static func tables(inSetup packet: [UInt8], limit: Tables) -> Tables {
    var total = Tables()
    guard packet.starts(with: [5] + name) else { return total }
    var bits = LittleBits(packet[(1 + name.count)...])
    for _ in 0..<(bits.take(8) ?? -1) + 1 {
      guard bits.take(24) == 0x564342, let width = bits.take(16), let count = bits.take(24) else { break }
      total.entries += count
      guard total.fits(limit), bits.skipLengths(of: count), let hasValues = bits.takesValues() else { break }
      guard hasValues else { continue }
      total.values += count * width
      guard total.fits(limit), bits.skipValues(of: count, width: width) else { break }
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

  /// Whether a table gives its entries values, which follow; nil if it says neither.
  mutating func takesValues() -> Bool? {
    guard let kind = take(4), kind < 3 else { return nil }
    place -= kind == 0 ? 0 : 4
    return kind > 0
  }

  /// Passes over the values that a table gives its entries.
  mutating func skipValues(of count: Int, width: Int) -> Bool {
    guard let kind = take(4), skip(64), let bits = take(4), skip(1) else { return false }
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
