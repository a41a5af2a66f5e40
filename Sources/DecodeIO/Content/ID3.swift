// SPDX-License-Identifier: MIT

/// The outer form of an ID3v2 tag. A decoder needs nothing of the tag but its size, to skip it.
enum ID3 {
  static let headerSize = 10

  /// The size of the tag that begins with these bytes, its header and footer included; nil if none does.
  static func sizeOfTag(_ header: [UInt8]) -> Int? {
    guard header.count >= headerSize, header.starts(with: "ID3".utf8), header[3] < 0xFF, header[4] < 0xFF,
      header[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let body = header[6...9].reduce(0) { $0 << 7 | Int($1) }
    let hasFooter = header[5] & 0x10 != 0
    return headerSize + body + (hasFooter ? headerSize : 0)
  }
}
