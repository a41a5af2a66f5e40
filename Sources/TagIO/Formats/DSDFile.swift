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
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var rate = 0
    var channels = 0
    var sound = 0..<0
    var chunks = Chunks(file, from: start + 16, .dsdiff)
    while let chunk = chunks.next() {
      switch chunk.name {
      case "PROP":
        // Its content is a name of four bytes, and chunks.
        let range = min(chunk.range.lowerBound + 4, chunk.range.upperBound)..<chunk.range.upperBound
        var properties = Chunks(file, in: range, .dsdiff)
        while let property = properties.next() {
          var cursor = ByteCursor(properties.bytes(property, atMost: 4))
          if property.name == "FS  " { rate = cursor.number(4, .bigEndian) ?? 0 }
          if property.name == "CHNL" { channels = cursor.number(2, .bigEndian) ?? 0 }
        }
      case "DSD ": sound = chunk.range
      case "ID3 ": _ = ID3Tag.read(file, at: chunk.range.lowerBound, into: &findings)
      default: break
      }
    }
    guard rate > 0, channels > 0 else { return false }
    findings.sound = sound
    findings.setLength(frames: sound.count / channels, rate: rate / 8, channels: channels)
    findings.setKilobits(bytes: sound.count)
    return true
  }
}
