// SPDX-License-Identifier: MIT

/// The header of a chunk in a RIFF file: four letters, and the size of what follows in four bytes.
package enum ChunkHeader {
  /// Whether these eight bytes may be such a header, of a chunk that fits into what is left of its file: `room` bytes with the header.
  package static func isPlausible(_ bytes: [UInt8], _ order: ByteCursor.Order, room: Int) -> Bool {
    var cursor = ByteCursor(bytes)
    guard let name = cursor.take(4), name.allSatisfy({ (0x20...0x7e).contains($0) }),
      let size = cursor.number(4, order)
    else { return false }
    return size <= room - 8
  }
}
