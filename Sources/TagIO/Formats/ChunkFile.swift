// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel

/// Iterates over the chunks of a file. A chunk has a name, a size and its content.
struct Chunks {
  /// How the chunks of a kind of file are written.
  struct Layout {
    /// How many bytes a name has, and a size.
    let name: Int
    let size: Int
    let order: ByteCursor.Order
    /// Each chunk begins at a multiple of this, counted from the first.
    let alignment: Int
    /// Whether a size includes the name and the size itself.
    var countsHeader = false

    static func wav(_ order: ByteCursor.Order) -> Layout {
      Layout(name: 4, size: 4, order: order, alignment: 2)
    }
    static let wave64 = Layout(name: 16, size: 8, order: .littleEndian, alignment: 8, countsHeader: true)
    static let aiff = Layout(name: 4, size: 4, order: .bigEndian, alignment: 2)
    static let caf = Layout(name: 4, size: 8, order: .bigEndian, alignment: 1)
    static let dsdiff = Layout(name: 4, size: 8, order: .bigEndian, alignment: 2)
  }

  /// The first four bytes of a chunk's name, and the range of its content in the file, cut at the end of the chunks. In longer names the rest is the same
  /// in all chunks that count here.
  typealias Chunk = (name: String, range: Range<Int>)

  /// How many chunks are read; a file with more was made to be slow.
  private static let most = 65_536

  let layout: Layout
  /// The size of the sound in WAV files that are too large for a chunk's own size of four bytes; nil in others.
  var soundSize: Int?

  private let file: FileBytes
  private let end: Int
  private var offset: Int
  private var count = 0

  /// The chunks in a part of the file.
  init(_ file: FileBytes, in range: Range<Int>, _ layout: Layout) {
    (self.file, self.layout) = (file, layout)
    (offset, end) = (range.lowerBound, range.upperBound)
  }

  /// The chunks from an offset to the end of the file.
  init(_ file: FileBytes, from offset: Int, _ layout: Layout) {
    self.init(file, in: min(offset, file.size)..<file.size, layout)
  }

  mutating func next() -> Chunk? {
    let headerSize = layout.name + layout.size
    guard count < Self.most, end - offset >= headerSize, let header = file.exactly(headerSize, at: offset)
    else { return nil }
    count += 1
    let name = String(decoding: header[..<4], as: UTF8.self)
    let start = offset + headerSize
    let range = start..<start + min(size(stated: header[layout.name...], of: name), end - start)
    offset = range.upperBound + (layout.alignment - range.count % layout.alignment) % layout.alignment
    return (name, range)
  }

  /// The size of a chunk's content. One that is no number, such as the -1 of a CAF file's last chunk, means the rest of the file.
  private func size(stated bytes: ArraySlice<UInt8>, of name: String) -> Int {
    var cursor = ByteCursor(bytes)
    guard let size = cursor.number(layout.size, layout.order) else { return file.size }
    if layout.countsHeader { return max(0, size - layout.name - layout.size) }
    guard name == "data", layout.size == 4 else { return size }
    // A recording that was broken off, or that was streamed, does not state the size of its sound.
    if size == 0xffff_ffff { return soundSize ?? file.size }
    let start = offset + layout.name + layout.size
    let isUnsized =
      size == 0 && UnsizedSound.follows(file.bytes(at: start, count: 8), layout.order, room: end - start)
    return isUnsized ? file.size : size
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
    var chunks = Chunks(file, from: start + 12, .wav(isBig ? .bigEndian : .littleEndian))
    let order = chunks.layout.order
    var sound = WaveSound()
    var info = TagProperties()
    while let chunk = chunks.next() {
      switch chunk.name {
      case "ds64": chunks.soundSize = large(chunks.bytes(chunk, atMost: 28), order)
      case "LIST": readInfo(chunks.bytes(chunk, atMost: mostInfo), order, findings.legacy, into: &info)
      case "id3 ", "ID3 ": _ = ID3Tag.read(file, at: chunk.range.lowerBound, into: &findings)
      default: sound.read(chunk, of: chunks)
      }
    }
    findings.properties.fill(from: info)
    return sound.tell(&findings)
  }

  private static let mostInfo = 2 << 20

  /// The size of the sound in a `ds64` chunk, which comes after the size of the whole file.
  private static func large(_ bytes: [UInt8], _ order: ByteCursor.Order) -> Int? {
    var cursor = ByteCursor(bytes)
    guard cursor.take(8) != nil else { return nil }
    return cursor.number(8, order)
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
    // The mark, the size of the file and the name of its kind come first.
    var chunks = Chunks(file, from: start + 40, .wave64)
    var sound = WaveSound()
    while let chunk = chunks.next() { sound.read(chunk, of: chunks) }
    return sound.tell(&findings)
  }
}

/// What the chunks of a WAV or Wave64 file tell of its sound.
private struct WaveSound {
  /// What the chunk `fmt ` says.
  private struct Layout {
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

  private var layout: Layout?
  /// How many frames the file states that it has.
  private var stated: Int?
  /// Where the sound is: the largest chunk of sound.
  private var range: Range<Int>?

  mutating func read(_ chunk: Chunks.Chunk, of chunks: Chunks) {
    switch chunk.name {
    case "fmt ": layout = layout ?? Layout(chunks.bytes(chunk, atMost: 40), chunks.layout.order)
    case "fact":
      var cursor = ByteCursor(chunks.bytes(chunk, atMost: chunks.layout.size))
      stated = cursor.number(chunks.layout.size, chunks.layout.order)
    case "data": if chunk.range.count > range?.count ?? 0 { range = chunk.range }
    default: break
    }
  }

  /// Adds what was read to the findings; returns false if the sound was not described.
  func tell(_ findings: inout TagFindings) -> Bool {
    if let range { findings.sound = range }
    guard let layout else { return false }
    let bytes = range?.count ?? 0
    findings.setLength(
      frames: layout.frames(bytes: bytes, stated: stated), rate: layout.rate, channels: layout.channels)
    findings.setKilobits(bytes: bytes)
    return true
  }
}

/// An AIFF or AIFF-C file.
enum AIFFFile {
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var chunks = Chunks(file, from: start + 12, .aiff)
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
    var chunks = Chunks(file, from: start + 8, .caf)
    while let chunk = chunks.next() {
      switch chunk.name {
      case "desc": layout = Layout(chunks.bytes(chunk, atMost: 32))
      case "data":
        // The first four bytes count how often the file was edited.
        sound = max(0, chunk.range.count - 4)
        findings.sound = chunk.range.upperBound - sound..<chunk.range.upperBound
      case "pakt":
        var counts = ByteCursor(chunks.bytes(chunk, atMost: 16))
        if counts.take(8) != nil { stated = counts.number(8, .bigEndian) }
      case "info": readInfo(chunks.bytes(chunk, atMost: 1 << 20), into: &findings)
      default: break
      }
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
