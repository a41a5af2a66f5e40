// SPDX-License-Identifier: MIT

/// ID3v2.3 tags and what holds them, byte by byte, to say what no honest tagger says.
enum ID3 {
  static func tag(
    _ frames: [[UInt8]], claiming size: Int? = nil, version: UInt8 = 3, flags: UInt8 = 0
  ) -> [UInt8] {
    let body = frames.reduce(into: []) { $0 += $1 }
    let size = size ?? body.count
    return Array("ID3".utf8) + [version, 0, flags] + (0..<4).map { UInt8(size >> (21 - $0 * 7) & 0x7f) }
      + body
  }

  static func frame(_ id: String, _ data: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    Array(id.utf8) + bigEndian(data.count) + [0, flags] + data
  }

  /// A text in UTF-16 with its mark of order.
  static func text(_ id: String, _ text: String) -> [UInt8] {
    frame(id, [1, 0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
  }

  static func picture(_ bytes: [UInt8], kind: UInt8 = 3) -> [UInt8] {
    frame("APIC", [0] + Array("image/png\0".utf8) + [kind, 0] + bytes)
  }

  static func bigEndian(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - $0 * 8) & 0xff) } }
  static func littleEndian(_ number: Int) -> [UInt8] { bigEndian(number).reversed() }

  /// A WAV or AIFF file with one more chunk at its end, and its size corrected.
  static func adding(_ name: String, _ data: [UInt8], to file: [UInt8]) -> [UInt8] {
    let isLittle = file.starts(with: "RIFF".utf8)
    let number = isLittle ? littleEndian : bigEndian
    var file = file + Array(name.utf8) + number(data.count) + data + (data.count % 2 == 0 ? [] : [0])
    file.replaceSubrange(4..<8, with: number(file.count - 8))
    return file
  }

  /// Pieces one after another.
  static func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  /// The same bytes over and over.
  static func many(_ unit: [UInt8], _ count: Int) -> [UInt8] {
    var bytes = unit
    while bytes.count < unit.count * count { bytes += bytes }
    return Array(bytes.prefix(unit.count * count))
  }

  /// A packet as Ogg pages. Nobody who reads tags checks the sums, so there are none.
  static func oggPages(
    _ packet: [UInt8], beginsStream: Bool = false, stream: [UInt8] = [0, 0, 0, 0], position: Int = 0
  ) -> [UInt8] {
    var pages: [UInt8] = []
    var rest = packet[...]
    let granule = littleEndian(position) + littleEndian(position >> 32)
    repeat {
      let part = rest.prefix(255 * 254)
      rest = rest.dropFirst(part.count)
      var segments = [UInt8](repeating: 255, count: part.count / 255) + [UInt8(part.count % 255)]
      if !rest.isEmpty { segments.removeLast() }
      pages +=
        Array("OggS".utf8) + [0, beginsStream ? 2 : 0] + granule + stream
        + [UInt8](repeating: 0, count: 8) + [UInt8(segments.count)] + segments + part
    } while !rest.isEmpty
    return pages
  }

  /// A zlib stream that is 160 times as long unpacked: one zero, then as many "258 more of it" as fit.
  static func bomb(bytes count: Int) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x9c]
    var (bits, used) = (0, 0)
    func put(_ value: Int, _ width: Int) {
      bits |= value << used
      used += width
      while used >= 8 {
        out.append(UInt8(bits & 0xff))
        bits >>= 8
        used -= 8
      }
    }
    put(0b011, 3)  // the last block, with the fixed code
    put(0b0000_1100, 8)  // the literal 0: 00110000, sent from its highest bit
    while out.count < count {
      put(0b1010_0011, 8)  // length 258: 11000101
      put(0, 5)  // distance 1
    }
    put(0, 7)
    put(0, 8)
    return out
  }
}
