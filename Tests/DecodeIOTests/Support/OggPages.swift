// SPDX-License-Identifier: MIT

/// Takes Ogg files apart, and puts them together with something missing.
enum OggPages {
  /// The pages of a file, headers first.
  static func pages(of bytes: [UInt8]) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    var start = 0
    while start + 27 <= bytes.count, let range = range(ofPageAt: start, in: bytes) {
      pages.append(Array(bytes[range]))
      start = range.upperBound
    }
    return pages
  }

  /// How many pages at the front of a file carry headers only.
  static func headers(of pages: [[UInt8]]) -> Int {
    pages.firstIndex { $0[6..<14].contains { $0 != 0 } } ?? 0
  }

  /// One page of a stream, with its checksum. If the packet is not whole, its length must be a multiple of 255.
  static func page(
    _ packet: [UInt8], flags: UInt8, granule: UInt64 = 0, number: UInt32 = 0, isWhole: Bool = true
  ) -> [UInt8] {
    let laces =
      [UInt8](repeating: 255, count: packet.count / 255) + (isWhole ? [UInt8(packet.count % 255)] : [])
    return page(laces: laces, packet, flags: flags, granule: granule, number: number)
  }

  /// One page whose parts have these lengths.
  static func page(
    laces: [UInt8], _ packet: [UInt8], flags: UInt8, granule: UInt64 = 0, number: UInt32 = 0
  ) -> [UInt8] {
    let header =
      Array("OggS".utf8) + [0, flags] + WAVFile.little(granule) + WAVFile.little(UInt32(1))
      + WAVFile.little(number)
    return withTrueChecksums(header + [0, 0, 0, 0, UInt8(laces.count)] + laces + packet)
  }

  private static func range(ofPageAt start: Int, in bytes: [UInt8]) -> Range<Int>? {
    guard bytes[start...].starts(with: "OggS".utf8) else { return nil }
    let table = start + 27..<start + 27 + Int(bytes[start + 26])
    guard table.upperBound <= bytes.count else { return nil }
    let end = table.upperBound + bytes[table].reduce(0) { $0 + Int($1) }
    return end <= bytes.count ? start..<end : nil
  }

  /// Puts the checksums right again, so that damage gets past them to the codec.
  static func withTrueChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var page = 0
    while page + 27 <= bytes.count, let range = range(ofPageAt: page, in: bytes) {
      bytes.replaceSubrange(page + 22..<page + 26, with: [0, 0, 0, 0])
      let checksum = bytes[range].reduce(UInt32(0)) { Self.table[Int($0 >> 24 ^ UInt32($1))] ^ $0 << 8 }
      bytes.replaceSubrange(page + 22..<page + 26, with: WAVFile.little(checksum))
      page = range.upperBound
    }
    return bytes
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }
}

/// The pages of a packet that never ends: all alike but for their numbers.
struct EndlessPacket {
  private var page: [UInt8]
  /// What each bit of a page's number changes in its checksum, which is linear.
  private let changes: [[UInt8]]

  /// `part` is what each page has of the packet: a multiple of 255 bytes, at most 255 of them.
  init?(_ part: [UInt8]) {
    guard !part.isEmpty, part.count.isMultiple(of: 255), part.count <= 255 * 255 else { return nil }
    func page(_ number: UInt32) -> [UInt8] { OggPages.page(part, flags: 1, number: number, isWhole: false) }
    let first = page(0)
    self.page = first
    changes = (0..<12).map { bit in zip(page(1 << bit)[22..<26], first[22..<26]).map { $0 ^ $1 } }
  }

  /// The page with a number below 4,096.
  func page(_ number: UInt32) -> [UInt8] {
    var page = page
    page.replaceSubrange(18..<22, with: WAVFile.little(number))
    for (bit, change) in changes.enumerated() where number >> bit & 1 == 1 {
      for index in 0..<4 { page[22 + index] ^= change[index] }
    }
    return page
  }
}
