// SPDX-License-Identifier: MIT

/// The chunk with the sound in a WAV file whose size is written as 0: either nothing was recorded, or the recorder was ended before it could write how
/// much it was.
package enum UnsizedSound {
  /// If more bytes than this follow, they are the sound, whatever they look like.
  private static let mostTags = 1 << 20

  /// Whether sound follows. `next` are the eight bytes behind the chunk's header, and `room` is the number of bytes from there to the file's end.
  /// Otherwise nothing follows, or another chunk, such as one of tags: four letters, and a size that fits.
  package static func follows(_ next: [UInt8], _ order: ByteCursor.Order, room: Int) -> Bool {
    guard room > 0, room <= mostTags else { return room > 0 }
    var cursor = ByteCursor(next)
    guard let name = cursor.take(4), name.allSatisfy({ (0x20...0x7e).contains($0) }),
      let size = cursor.number(4, order)
    else { return true }
    return size > room - 8
  }
}
