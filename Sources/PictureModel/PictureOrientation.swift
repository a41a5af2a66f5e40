// SPDX-License-Identifier: MIT

/// How a stored picture has to be turned or mirrored to stand upright. A camera stores the picture as it was held, and the way it was held beside it,
/// in the EXIF data. The numbers are those of EXIF.
package enum PictureOrientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored, upsideDown, mirroredUpsideDown, mirroredOnItsLeftSide, onItsLeftSide, mirroredOnItsRightSide,
    onItsRightSide

  /// How many segments of a file, and entries of its table, are looked at. Real ones have far fewer.
  private static let most = 512
  /// The tag in the EXIF table for the way the camera was held.
  private static let tag = 0x0112

  /// The orientation in a JPEG; upright if it has none, or an invalid one.
  package init(ofJPEG bytes: [UInt8]) {
    self = Self.exif(bytes).flatMap(Self.orientation) ?? .upright
  }

  /// The EXIF table in a JPEG; nil if there is none.
  private static func exif(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var offset = 2
    for _ in 0..<most {
      guard offset + 4 <= bytes.count, bytes[offset] == 0xFF else { return nil }
      let kind = bytes[offset + 1]
      if kind == 0xFF {
        offset += 1
        continue
      }
      let end = offset + 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
      // The pixels begin here.
      guard kind != 0xDA, end > offset + 3, end <= bytes.count else { return nil }
      let content = bytes[(offset + 4)..<end]
      if kind == 0xE1, content.starts(with: "Exif\0\0".utf8) { return content.dropFirst(6) }
      offset = end
    }
    return nil
  }

  private static func orientation(_ table: ArraySlice<UInt8>) -> PictureOrientation? {
    let isBig = table.starts(with: "MM".utf8)
    guard isBig || table.starts(with: "II".utf8) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= table.count else { return nil }
      let start = table.startIndex + offset
      let bytes = table[start..<(start + count)]
      return isBig ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard let start = number(4, 4), let count = number(start, 2) else { return nil }
    for entry in 0..<min(count, most) {
      let offset = start + 2 + 12 * entry
      guard let name = number(offset, 2) else { return nil }
      // The value must be one number of two bytes.
      guard name == tag, number(offset + 2, 2) == 3, number(offset + 4, 4) == 1 else { continue }
      return number(offset + 8, 2).flatMap(PictureOrientation.init(rawValue:))
    }
    return nil
  }
}
