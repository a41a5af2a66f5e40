// SPDX-License-Identifier: MIT

/// A picture, encoded as it was found in a file.
package struct CoverPicture: Sendable, Equatable {
  /// The picture formats that desktops show.
  package enum Format: String, Sendable, CaseIterable {
    case jpeg = "jpg"
    case png
    case webp
    case gif
  }

  package let bytes: [UInt8]
  /// The format, found out from the bytes: the type that a tag states is often wrong.
  package let format: Format

  /// The picture in these bytes; nil if they are not a picture, or not a whole one.
  package init?(_ bytes: [UInt8]) {
    guard let format = PictureCheck(bytes).format else { return nil }
    (self.bytes, self.format) = (bytes, format)
  }

  /// Whether a file that begins like this is a picture.
  package static func begins(_ head: [UInt8]) -> Bool { Format(magic: head) != nil }
}

extension CoverPicture.Format {
  init?(magic bytes: [UInt8]) {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if bytes.starts(with: "GIF8".utf8) {
      self = .gif
    } else {
      return nil
    }
  }
}
