// SPDX-License-Identifier: MIT
import MediaModel

/// What the header of a Windows Media file says before anything is decoded.
package enum WindowsMediaHeader {
  /// The marks of the objects that say how the packets are encrypted.
  private static let locks: [[UInt8]] = [
    [0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11, 0xb4, 0xb7, 0x00, 0xa0, 0xc9, 0x55, 0xfc, 0x6e],
    [0x14, 0xe6, 0x8a, 0x29, 0x22, 0x26, 0x17, 0x4c, 0xb9, 0x35, 0xda, 0xe0, 0x7e, 0xe9, 0x28, 0x9c],
    [0x33, 0x85, 0x05, 0x43, 0x81, 0x69, 0xe6, 0x49, 0x9b, 0x74, 0xad, 0x12, 0xcb, 0x86, 0xd5, 0x8c],
  ]
  /// How many objects are looked at; a header with more was made to be slow.
  private static let mostObjects = 1_000
  /// Before the objects stand the header's own mark and size, their number and two bytes.
  private static let start = 30

  /// Whether the sound is encrypted, so that only the shop's own player can play it. `read` returns bytes of the file, fewer where it ends.
  package static func isLocked(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
    var header = ByteCursor(read(16, 8))
    guard let size = header.number(8, .littleEndian) else { return false }
    var offset = start
    for _ in 0..<mostObjects {
      let bytes = read(offset, 24)
      var object = ByteCursor(bytes.dropFirst(16))
      guard offset < size, let length = object.number(8, .littleEndian), length >= 24, length <= size - offset
      else { return false }
      if locks.contains(where: bytes.starts) { return true }
      offset += length
    }
    return false
  }
}
