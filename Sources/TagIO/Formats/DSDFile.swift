// SPDX-License-Identifier: MIT
internal import MediaModel

/// A DSF file: a header that says where an ID3 tag lies, and a description of the sound.
enum DSFFile {
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var cursor = ByteCursor(file.bytes(at: start, count: 92))
    guard cursor.take(20) != nil, let place = cursor.number(8, .littleEndian), cursor.take(24) != nil,
      let channels = cursor.number(4, .littleEndian), let rate = cursor.number(4, .littleEndian),
      cursor.take(4) != nil, let samples = cursor.number(8, .littleEndian)
    else { return false }
    // The place is counted from the beginning of the header.
    let tag = place > 0 && place < file.size ? start + place : 0
    if tag > 0, tag < file.size { _ = ID3Tag.read(file, at: tag, into: &findings) }
    // Eight samples of one bit each are decoded to one frame.
    findings.setLength(frames: samples / 8, rate: rate / 8, channels: channels)
    findings.sound = min(start + 92, file.size)..<(tag > start + 92 && tag < file.size ? tag : file.size)
    findings.setKilobits(bytes: findings.sound.count)
    return true
  }
}

/// A DSDIFF file: chunks with sizes of eight bytes. One of them may be an ID3 tag.
enum DSDIFFFile {
  private static let mostChunks = 1_024

  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var rate = 0
    var channels = 0
    var sound = 0..<0
    walk(file, min(start + 16, file.size)..<file.size) { name, content in
      switch name {
      case "PROP":
        walk(file, min(content.lowerBound + 4, content.upperBound)..<content.upperBound) { name, content in
          var cursor = ByteCursor(file.bytes(at: content.lowerBound, count: min(4, content.count)))
          if name == "FS  " { rate = cursor.number(4, .bigEndian) ?? 0 }
          if name == "CHNL" { channels = cursor.number(2, .bigEndian) ?? 0 }
        }
      case "DSD ": sound = content
      case "ID3 ": _ = ID3Tag.read(file, at: content.lowerBound, into: &findings)
      default: break
      }
    }
    guard rate > 0, channels > 0 else { return false }
    findings.sound = sound
    findings.setLength(frames: sound.count / channels, rate: rate / 8, channels: channels)
    findings.setKilobits(bytes: sound.count)
    return true
  }

  private static func walk(_ file: FileBytes, _ range: Range<Int>, _ body: (String, Range<Int>) -> Void) {
    var offset = range.lowerBound
    for _ in 0..<mostChunks {
      guard offset + 12 <= range.upperBound, let header = file.exactly(12, at: offset) else { return }
      var cursor = ByteCursor(header)
      guard let name = cursor.take(4), let size = cursor.number(8, .bigEndian) else { return }
      let start = offset + 12
      let end = start + min(size, range.upperBound - start)
      body(String(decoding: name, as: UTF8.self), start..<end)
      offset = end + size % 2
    }
  }
}
