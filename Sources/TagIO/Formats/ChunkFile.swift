// SPDX-License-Identifier: MIT
internal import MediaModel

/// Iterates over the chunks of a WAV or AIFF file. A chunk has a name, a size and its content, and begins at an even offset.
struct Chunks {
  /// A chunk's name, and the range of its content in the file, cut at the end of the file.
  typealias Chunk = (name: String, range: Range<Int>)

  /// How many chunks are read; a file with more was made to be slow.
  fileprivate static let most = 65_536

  let order: ByteCursor.Order
  /// The size of the sound in files that are too large for a chunk's own size of four bytes; nil in others.
  var soundSize: Int?

  private let file: FileBytes
  private var offset: Int
  private var count = 0

  /// The chunks from an offset on.
  init(_ file: FileBytes, from offset: Int, _ order: ByteCursor.Order) {
    (self.file, self.offset, self.order) = (file, offset, order)
  }

  mutating func next() -> Chunk? {
    guard count < Self.most, let header = file.exactly(8, at: offset) else { return nil }
    count += 1
    var cursor = ByteCursor(header[4...])
    guard var size = cursor.number(4, order) else { return nil }
    let name = String(decoding: header[..<4], as: UTF8.self)
    if name == "data" {
      // A recording that was broken off, or that was streamed, does not state its size.
      if size == 0xffff_ffff { size = soundSize ?? file.size }
      if size == 0, file.size - offset > 1 << 20 { size = file.size }
    }
    let start = offset + 8
    let end = start + min(size, file.size - start)
    offset = end + size % 2
    return (name, start..<end)
  }

  /// A chunk's content, or its first `count` bytes if it is longer.
  func bytes(_ chunk: Chunk, atMost count: Int) -> [UInt8] {
    file.bytes(at: chunk.range.lowerBound, count: min(chunk.range.count, count))
  }
}

/// A WAV file. Its sizes are little-endian (RIFF), big-endian (RIFX), or have eight bytes (RF64).
enum WAVFile {
  /// Reads the file that begins at an offset with its mark of four letters; false if it does not describe its sound.
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    let isBig = file.bytes(at: start, count: 4).elementsEqual("RIFX".utf8)
    var chunks = Chunks(file, from: start + 12, isBig ? .bigEndian : .littleEndian)
    var layout: Layout?
    var stated: Int?
    var sound = 0
    var info = TagProperties()
    while let chunk = chunks.next() {
      switch chunk.name {
      case "ds64": chunks.soundSize = large(chunks.bytes(chunk, atMost: 28), chunks.order)
      case "fmt ": layout = layout ?? Layout(chunks.bytes(chunk, atMost: 40), chunks.order)
      case "fact":
        var cursor = ByteCursor(chunks.bytes(chunk, atMost: 4))
        stated = cursor.number(4, chunks.order)
      case "data":
        if chunk.range.count > sound { (sound, findings.sound) = (chunk.range.count, chunk.range) }
      case "LIST": readInfo(chunks.bytes(chunk, atMost: mostInfo), chunks.order, findings.legacy, into: &info)
      case "id3 ", "ID3 ": _ = ID3Tag.read(file, at: chunk.range.lowerBound, into: &findings)
      default: break
      }
    }
    findings.properties.fill(from: info)
    guard let layout else { return false }
    let frames = layout.frames(bytes: sound, stated: stated)
    findings.setLength(frames: frames, rate: layout.rate, channels: layout.channels)
    findings.setKilobits(bytes: sound)
    return true
  }

  private static let mostInfo = 2 << 20

  /// The size of the sound in a `ds64` chunk, which comes after the size of the whole file.
  private static func large(_ bytes: [UInt8], _ order: ByteCursor.Order) -> Int? {
    var cursor = ByteCursor(bytes)
    guard cursor.take(8) != nil else { return nil }
    return cursor.number(8, order)
  }

  /// What the chunk `fmt ` says.
  fileprivate struct Layout {
    let coding: Int
    let channels: Int
    let rate: Int
    let bytesASecond: Int
    let bytesAFrame: Int

    init?(_ bytes: [UInt8], _ order: ByteCursor.Order) {
      var cursor = ByteCursor(bytes)
      guard let coding = cursor.number(2, order), let channels = cursor.number(2, order),
        let rate = cursor.number(4, order), let bytesASecond = cursor.number(4, order),
        let bytesAFrame = cursor.number(2, order)
      else { return nil }
      (self.coding, self.channels, self.rate) = (coding, channels, rate)
      (self.bytesASecond, self.bytesAFrame) = (bytesASecond, bytesAFrame)
    }

    /// How many frames the sound has. For a coding with frames of a fixed size, that follows from the bytes. For others the number that the file
    /// states is taken, or else one computed from the byte rate; 0 if neither is known.
    func frames(bytes: Int, stated: Int?) -> Int {
      let isPlain = [1, 3, 6, 7, 0xfffe].contains(coding)
      if isPlain, bytesAFrame > 0 { return bytes / bytesAFrame }
      if let stated, stated > 0 { return stated }
      guard bytesASecond > 0 else { return 0 }
      return Int(exactly: (Double(bytes) / Double(bytesASecond) * Double(rate)).rounded()) ?? 0
    }
  }

  private static func readInfo(
    _ list: [UInt8], _ order: ByteCursor.Order, _ legacy: LegacyText, into info: inout TagProperties
  ) {
    var cursor = ByteCursor(list)
    guard cursor.take(mark: "INFO".utf8) else { return }
    while let name = cursor.take(4), let size = cursor.number(4, order),
      let text = cursor.take(min(size, cursor.rest.count))
    {
      if size % 2 == 1 { _ = cursor.take(1) }
      guard let field = fields[String(decoding: name, as: UTF8.self)] else { continue }
      let bytes = text.prefix { $0 != 0 }
      let value = String(validating: bytes, as: UTF8.self) ?? legacy.text(bytes)
      if value.utf8.count <= TagReader.longestText { info.add(value, to: field) }
    }
  }

  private static let fields: [String: TagField] = [
    "INAM": .title, "IART": .artist, "IPRD": .album, "ICMT": .comment, "IGNR": .genre, "ICRD": .date,
    "IPRT": .trackNumber, "ITRK": .trackNumber, "IMUS": .composer, "IBPM": .bpm,
  ]
}

/// A Wave64 file: like WAV, with names of 16 bytes, and with sizes of eight bytes that include name and size.
enum Wave64File {
  /// Reads the file that begins at an offset with its mark of 16 bytes; false if it does not describe its sound.
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var layout: WAVFile.Layout?
    var stated: Int?
    var sound = 0
    // The mark, the size of the file and the name of its kind come first.
    var offset = start + 40
    for _ in 0..<Chunks.most {
      guard let header = file.exactly(headerSize, at: offset) else { break }
      var cursor = ByteCursor(header.dropFirst(16))
      let size = cursor.number(8, .littleEndian) ?? file.size
      let room = file.size - offset - headerSize
      let range = offset + headerSize..<offset + headerSize + min(max(0, size - headerSize), room)
      // The first four bytes are the chunk's name in WAV, and the other twelve are the same in all chunks that count here.
      switch String(decoding: header.prefix(4), as: UTF8.self) {
      case "fmt ":
        layout = layout ?? .init(file.bytes(at: range.lowerBound, count: min(40, range.count)), .littleEndian)
      case "fact":
        var count = ByteCursor(file.bytes(at: range.lowerBound, count: min(8, range.count)))
        stated = count.number(8, .littleEndian)
      case "data": if range.count > sound { (sound, findings.sound) = (range.count, range) }
      default: break
      }
      // Each chunk begins at a multiple of eight bytes.
      offset = range.upperBound + (8 - range.count % 8) % 8
    }
    guard let layout else { return false }
    let frames = layout.frames(bytes: sound, stated: stated)
    findings.setLength(frames: frames, rate: layout.rate, channels: layout.channels)
    findings.setKilobits(bytes: sound)
    return true
  }

  private static let headerSize = 24
}

/// An AIFF or AIFF-C file.
enum AIFFFile {
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var chunks = Chunks(file, from: start + 12, .bigEndian)
    var hasSound = false
    var sound = 0
    var texts = TagProperties()
    while let chunk = chunks.next() {
      switch chunk.name {
      case "COMM": hasSound = readLayout(chunks.bytes(chunk, atMost: 18), into: &findings) || hasSound
      case "SSND": (sound, findings.sound) = (chunk.range.count, chunk.range)
      case "ID3 ", "id3 ": _ = ID3Tag.read(file, at: chunk.range.lowerBound, into: &findings)
      case let name:
        guard let field = fields[name] else { break }
        let bytes = chunks.bytes(chunk, atMost: TagReader.longestText).prefix { $0 != 0 }
        texts.add(String(validating: bytes, as: UTF8.self) ?? findings.legacy.text(bytes), to: field)
      }
    }
    findings.properties.fill(from: texts)
    findings.setKilobits(bytes: sound)
    return hasSound
  }

  private static let fields: [String: TagField] = ["NAME": .title, "AUTH": .artist, "ANNO": .comment]

  private static func readLayout(_ bytes: [UInt8], into findings: inout TagFindings) -> Bool {
    var cursor = ByteCursor(bytes)
    guard let channels = cursor.number(2, .bigEndian), let frames = cursor.number(4, .bigEndian),
      cursor.take(2) != nil, let exponent = cursor.number(2, .bigEndian),
      let digits = cursor.bits()
    else { return false }
    // The rate is a floating-point number of 80 bits: an exponent, then all digits, including the leading one.
    let shift = 16_383 + 63 - exponent
    let rate = (0...63).contains(shift) ? Int(exactly: digits >> UInt64(shift)) ?? 0 : 0
    findings.setLength(frames: frames, rate: rate, channels: channels)
    return true
  }
}

/// A CAF file: chunks with sizes of eight bytes.
enum CAFFile {
  private struct Layout {
    let rate: Int
    let bytesPerPacket: Int
    let framesPerPacket: Int
    let channels: Int

    init?(_ bytes: [UInt8]) {
      var cursor = ByteCursor(bytes)
      guard let bits = cursor.bits(), cursor.take(8) != nil,
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
      // The size of the last chunk may be -1, which means the rest of the file.
      let size = cursor.number(8, .bigEndian) ?? file.size
      let range = offset + 12..<offset + 12 + min(size, file.size - offset - 12)
      switch String(decoding: header[..<4], as: UTF8.self) {
      case "desc": layout = Layout(file.bytes(at: range.lowerBound, count: min(32, range.count)))
      case "data":
        // The first four bytes count how often the file was edited.
        sound = max(0, range.count - 4)
        findings.sound = range.upperBound - sound..<range.upperBound
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
    let end = file.size
    findings.sound = end - min(end, max(0, end - start - offset))..<end
    return true
  }

  /// The bits of a sample, by the number of the coding. Codings that are missing here have no fixed number of bits.
  private static let bitsPerSample = [
    1: 8, 2: 8, 3: 16, 4: 24, 5: 32, 6: 32, 7: 64, 23: 4, 25: 3, 26: 5, 27: 8,
  ]
}
