// SPDX-License-Identifier: MIT

/// Puts the checksums of an Ogg file right again, so that damage gets past them to the codec.
enum OggPages {
  static func withTrueChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var page = 0
    while page + 27 <= bytes.count, bytes[page...].starts(with: "OggS".utf8) {
      let table = page + 27..<page + 27 + Int(bytes[page + 26])
      guard table.upperBound <= bytes.count else { break }
      let end = table.upperBound + bytes[table].reduce(0) { $0 + Int($1) }
      guard end <= bytes.count else { break }
      bytes.replaceSubrange(page + 22..<page + 26, with: [0, 0, 0, 0])
      let checksum = bytes[page..<end].reduce(UInt32(0)) { Self.table[Int($0 >> 24 ^ UInt32($1))] ^ $0 << 8 }
      bytes.replaceSubrange(page + 22..<page + 26, with: WAVFile.little(checksum))
      page = end
    }
    return bytes
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }
}
