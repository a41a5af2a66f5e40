// SPDX-License-Identifier: MIT

/// A picture in the form in which a file holds it.
package struct CoverPicture: Sendable, Equatable {
  /// The formats that desktops show.
  package enum Format: String, Sendable, CaseIterable {
    case jpeg = "jpg"
    case png
    case webp
    case gif
  }

  /// The picture's file.
  package let bytes: [UInt8]
  /// Its format, told by the bytes: what a tag says about it is often wrong.
  package let format: Format

  /// The picture in these bytes; nil where they begin like none.
  package init?(_ bytes: [UInt8]) {
    guard let format = Format(magic: bytes) else { return nil }
    self.bytes = bytes
    self.format = format
  }
}

extension CoverPicture.Format {
  fileprivate init?(magic bytes: [UInt8]) {
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
