// SPDX-License-Identifier: MIT

/// Songs of a fifth of a second of silence, with tags.
package enum TaggedSong {
  /// An MP3 with a title.
  package static func mp3(_ title: String, picture: [UInt8] = []) -> [UInt8] {
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let size = content.count
      return Array(name.utf8) + (0..<4).map { UInt8(size >> (24 - 8 * $0) & 0xff) } + [0, 0] + content
    }
    var frames = frame("TIT2", [3] + Array(title.utf8))
    if !picture.isEmpty { frames += frame("APIC", [0] + Array("image/jpeg\0".utf8) + [3, 0] + picture) }
    let size = (0..<4).map { UInt8(frames.count >> (21 - 7 * $0) & 0x7f) }
    let sound = (0..<8).flatMap { _ in [0xff, 0xfb, 0x90, 0] + [UInt8](repeating: 0, count: 413) }
    return Array("ID3\u{3}\0\0".utf8) + size + frames + sound
  }

  /// A picture of one pixel, with so many bytes.
  package static func jpeg(_ size: Int) -> [UInt8] {
    let head: [UInt8] = [
      0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8,
      1, 1,
      0, 0, 63, 0,
    ]
    return head + [UInt8](repeating: 7, count: size - head.count - 2) + [0xff, 0xd9]
  }
}
