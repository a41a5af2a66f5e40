// SPDX-License-Identifier: MIT
internal import MediaModel

/// A CAF file: chunks with sizes of eight bytes.
enum CAFFile {
  private struct Layout {
    let rate: Int
    let bytesPerPacket: Int
    let framesPerPacket: Int
    let channels: Int

    init?(_ bytes: [UInt8]) {
      var cursor = ByteCursor(bytes)
      guard let bits = cursor.take(8)?.reduce(UInt64(0), { $0 << 8 | UInt64($1) }), cursor.take(8) != nil,
        let bytesPerPacket = cursor.number(4, .bigEndian), let framesPerPacket = cursor.number(4, .bigEndian),
        let channels = cursor.number(4, .bigEndian),
        let rate = Int(exactly: Double(bitPattern: bits).rounded())
      else { return nil }
      (self.rate, self.channels) = (rate, channels)
      (self.bytesPerPacket, self.framesPerPacket) = (bytesPerPacket, framesPerPacket)
    }
  }

  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var layout: Layout?
    var (sound, stated): (Int, Int?) = (0, nil)
    var offset = start + 8
    while let header = file.exactly(12, at: offset) {
      var cursor = ByteCursor(header[4...])
      // The size of the last chunk may be -1, which means all that is left.
      let size = cursor.number(8, .bigEndian) ?? file.size
      let range = offset + 12..<offset + 12 + min(size, file.size - offset - 12)
      switch String(decoding: header[..<4], as: UTF8.self) {
      case "desc": layout = Layout(file.bytes(at: range.lowerBound, count: min(32, range.count)))
      case "data": sound = max(0, range.count - 4)
      case "pakt":
        var counts = ByteCursor(file.bytes(at: range.lowerBound, count: min(16, range.count)))
        if counts.take(8) != nil { stated = counts.number(8, .bigEndian) }
      case "info":
        readInfo(file.bytes(at: range.lowerBound, count: min(1 << 20, range.count)), into: &findings)
      default: break
      }
      offset = range.upperBound
    }
    guard let layout else { return false }
    let packets = layout.bytesPerPacket > 0 ? sound / layout.bytesPerPacket : 0
    let counted = packets.multipliedReportingOverflow(by: layout.framesPerPacket)
    let frames = counted.overflow || packets == 0 ? stated ?? 0 : counted.partialValue
    findings.setLength(frames: frames, rate: layout.rate, channels: layout.channels)
    findings.setKilobits(bytes: sound)
    return true
  }

  private static func readInfo(_ bytes: [UInt8], into findings: inout TagFindings) {
    var cursor = ByteCursor(bytes)
    guard cursor.take(4) != nil else { return }
    while !cursor.rest.isEmpty {
      let name = String(decoding: cursor.text(), as: UTF8.self)
      let value = String(decoding: cursor.text(), as: UTF8.self)
      findings.add(value, to: fields[name]?.rawValue ?? name)
    }
  }

  private static let fields: [String: TagField] = [
    "track number": .trackNumber, "year": .date, "recorded date": .date, "comments": .comment,
  ]
}

/// An AU file: one header, in either byte order, and the sound.
enum AUFile {
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    let head = file.bytes(at: start, count: 24)
    let order: ByteCursor.Order = head.starts(with: ".snd".utf8) ? .bigEndian : .littleEndian
    var cursor = ByteCursor(head.dropFirst(4))
    guard let offset = cursor.number(4, order), let stated = cursor.number(4, order),
      let coding = cursor.number(4, order), let rate = cursor.number(4, order),
      let channels = cursor.number(4, order)
    else { return false }
    let sound = min(stated, max(0, file.size - start - offset))
    let bits = bitsPerSample[coding] ?? 0
    let frames = bits > 0 && (1...1_024).contains(channels) ? sound * 8 / (bits * channels) : 0
    findings.setLength(frames: frames, rate: rate, channels: channels)
    findings.setKilobits(bytes: sound)
    return true
  }

  /// By the number of the coding. Codings that are missing have no fixed number of bits for a sample.
  private static let bitsPerSample = [
    1: 8, 2: 8, 3: 16, 4: 24, 5: 32, 6: 32, 7: 64, 23: 4, 25: 3, 26: 5, 27: 8,
  ]
}
