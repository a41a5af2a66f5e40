// SPDX-License-Identifier: MIT
internal import CPictures
package import MediaModel
internal import PictureModel

/// Makes small pictures from large ones. It parses pictures that may be malicious, so only the restricted reader process uses it.
package enum ScaledPicture {
  /// A picture as a PNG that fits into a square of `edge` pixels, turned upright; it is never enlarged. Nil if it can't be decoded or has too many
  /// pixels.
  package static func png(of picture: [UInt8], edge: Int) -> CoverPicture? {
    guard let edge = UInt32(exactly: edge) else { return nil }
    var png = unsafe cpictures_png()
    let result =
      if picture.starts(with: "GIF8".utf8) { unsafe scale(gif: picture, edge, &png) } else {
        unsafe picture.withUnsafeBufferPointer { bytes in
          unsafe cpictures_scale(
            bytes.baseAddress, bytes.count, edge, UInt32(PictureOrientation(ofJPEG: picture).rawValue), &png)
        }
      }
    guard result == CPICTURES_DONE else { return nil }
    defer { unsafe cpictures_free(&png) }
    return unsafe CoverPicture(Array(UnsafeBufferPointer(start: png.bytes, count: png.count)))
  }

  private static func scale(
    gif picture: [UInt8], _ edge: UInt32, _ png: inout cpictures_png
  ) -> cpictures_result {
    guard let gif = GIFPicture(picture) else { return CPICTURES_UNREADABLE }
    return unsafe gif.pixels.withUnsafeBufferPointer { pixels in
      unsafe cpictures_scale_pixels(
        pixels.baseAddress, UInt32(gif.width), UInt32(gif.height), edge, &png)
    }
  }
}
