// SPDX-License-Identifier: MIT
internal import CPictures
package import MediaModel

/// Makes small pictures of large ones. It parses what strangers have made, so only the process behind the fence has it.
package enum ScaledPicture {
  /// A picture as PNG that fits into a square of `edge` pixels; it is never made larger. Nil if it can't be decoded or has too many
  /// pixels. GIF is not decoded.
  package static func png(of picture: [UInt8], edge: Int) -> CoverPicture? {
    guard let edge = UInt32(exactly: edge) else { return nil }
    var png = unsafe cpictures_png()
    let result = unsafe picture.withUnsafeBufferPointer { bytes in
      unsafe cpictures_scale(bytes.baseAddress, bytes.count, edge, &png)
    }
    guard result == CPICTURES_DONE else { return nil }
    defer { unsafe cpictures_free(&png) }
    return unsafe CoverPicture(Array(UnsafeBufferPointer(start: png.bytes, count: png.count)))
  }
}
