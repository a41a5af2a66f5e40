// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel

/// Turns the frames of an ID3v2 tag into fields and pictures.
struct ID3Tag {
  /// Text frames larger than this are not read. The longest text that is kept takes about as many bytes in UTF-16.
  private static let largestText = 2 * TagReader.longestText + 64

  /// The most bytes of a frame before the picture: its type, its kind and a description, which are shorter.
  private static let mostBeforePicture = 1_024

  private let legacy: LegacyText
  private var properties = TagProperties()
  /// The values of TXXX frames, whose names taggers choose. A standard ID3 frame for the same field takes precedence.
  private var named = TagProperties()
  private var year: String?
  private var day: String?

  /// Reads the tag at an offset, and fills what is missing in `findings`. Returns the size of the whole tag in bytes;
  /// nil if there is none.
  static func read(_ file: FileBytes, at offset: Int, into findings: inout TagFindings) -> Int? {
    guard var frames = ID3Frames(file, at: offset) else { return nil }
    var tag = ID3Tag(legacy: findings.legacy)
    while let frame = frames.next() { tag.take(frame, frames, into: &findings) }
    tag.finish()
    findings.properties.fill(from: tag.properties)
    return frames.size
  }

  private init(legacy: LegacyText) { self.legacy = legacy }

  private mutating func take(
    _ frame: ID3Frames.Frame, _ frames: ID3Frames, into findings: inout TagFindings
  ) {
    switch frame.name {
    case "APIC", "PIC": takePicture(frame, frames, into: &findings)
    case "COMM", "COM", "USLT", "ULT": takeRemark(frame, frames)
    case "TXXX", "TXX": takeNamed(frame, frames)
    case "RVA2", "XRVA": takeAdjustment(frame, frames, into: &findings)
    case "PCST", "PCS": properties.add("1", to: .podcast)
    default: takeText(frame, frames)
    }
  }

  private func texts(
    _ frame: ID3Frames.Frame, _ frames: ID3Frames, skipping count: Int = 0
  ) -> ID3Text? {
    guard frame.size <= Self.largestText else { return nil }
    return ID3Text(frames.content(frame), skipping: count, legacy)
  }

  private mutating func takeText(_ frame: ID3Frames.Frame, _ frames: ID3Frames) {
    let field = Self.fields[frame.name]
    guard field != nil || Self.dates.contains(frame.name), var texts = texts(frame, frames) else { return }
    let values = texts.all()
    guard let field else {
      if frame.name.hasPrefix("TY") { year = year ?? values.first } else { day = day ?? values.first }
      return
    }
    for value in field == .genre ? values.flatMap(ID3Genre.names) : values { add(value, to: field) }
  }

  /// Adds a value. A text that is too long becomes an empty one, so that the field is not filled from another tag. A blank one says nothing, and may be
  /// filled: some taggers write every field that they know.
  private mutating func add(_ value: String, to field: TagField) {
    if value.utf8.count > TagReader.longestText { return properties.add("", to: field) }
    if TagText.words(value) != nil { properties.add(value, to: field) }
  }

  /// Takes a comment or lyrics: a language of three letters, a description and the text. Comments with a description are for programs, so they are
  /// left out.
  private mutating func takeRemark(_ frame: ID3Frames.Frame, _ frames: ID3Frames) {
    guard var texts = texts(frame, frames, skipping: 3), let description = texts.next(),
      let text = texts.next()
    else { return }
    if frame.name.hasPrefix("U") {
      add(text, to: .lyrics)
    } else if description.isEmpty {
      add(text, to: .comment)
    }
  }

  private mutating func takeNamed(_ frame: ID3Frames.Frame, _ frames: ID3Frames) {
    guard var texts = texts(frame, frames), let name = texts.next(), let field = TagField(name: name) else {
      return
    }
    for value in texts.all() where value.utf8.count <= TagReader.longestText && TagText.words(value) != nil {
      named.add(value, to: field)
    }
  }

  /// Takes the gain and the peak that mp3gain and older taggers write as numbers. The frame says whether they are those of the track or the album, and
  /// then a gain and a peak for each channel; the channel with the number 1 stands for all.
  private func takeAdjustment(
    _ frame: ID3Frames.Frame, _ frames: ID3Frames, into findings: inout TagFindings
  ) {
    guard frame.size <= Self.largestAdjustment else { return }
    var cursor = ByteCursor(frames.content(frame))
    let name = String(decoding: cursor.text(), as: UTF8.self).uppercased()
    guard let gainField = TagField(name: "REPLAYGAIN_\(name)_GAIN"),
      let peakField = TagField(name: "REPLAYGAIN_\(name)_PEAK")
    else { return }
    while let channel = cursor.number(1, .bigEndian), let gain = cursor.number(2, .bigEndian),
      let bits = cursor.number(1, .bigEndian), let peak = cursor.take((bits + 7) / 8)
    {
      guard channel == 1, findings.adjustments[gainField].isEmpty else { continue }
      findings.adjustments.add("\(Double(Int16(truncatingIfNeeded: gain)) / 512) dB", to: gainField)
      // The peak is a fraction whose highest bit stands for 1. Four bytes are more exact than anybody hears.
      guard bits > 0, bits <= 32 else { continue }
      let number = peak.reduce(0) { $0 << 8 | Int($1) }
      findings.adjustments.add("\(Double(number) / Double(1 << (peak.count * 8 - 1)))", to: peakField)
    }
  }

  private static let largestAdjustment = 1_024

  private func takePicture(
    _ frame: ID3Frames.Frame, _ frames: ID3Frames, into findings: inout TagFindings
  ) {
    guard frame.size <= TagReader.largestPicture + Self.mostBeforePicture else { return }
    let content = frames.content(frame, atMost: findings.wantsPicture ? .max : Self.mostBeforePicture)
    guard let picture = Self.picture(content, isShort: frame.name == "PIC") else { return }
    let unread = findings.wantsPicture ? 0 : max(0, frame.size - Self.mostBeforePicture)
    findings.take(.init(kind: picture.kind, size: picture.bytes.count + unread)) { Array(picture.bytes) }
  }

  /// The kind and the bytes of a picture. The bytes come after the picture's type, its kind and a description.
  private static func picture(
    _ content: [UInt8], isShort: Bool
  ) -> (kind: Int, bytes: ArraySlice<UInt8>)? {
    var cursor = ByteCursor(content)
    guard let encoding = cursor.number(1, .bigEndian) else { return nil }
    if isShort { guard cursor.take(3) != nil else { return nil } } else { _ = cursor.text() }
    guard let kind = cursor.number(1, .bigEndian) else { return nil }
    guard encoding == 1 || encoding == 2 else {
      _ = cursor.text()
      return (kind, cursor.rest)
    }
    while let unit = cursor.take(2), unit.contains(where: { $0 != 0 }) {}
    return (kind, cursor.rest)
  }

  /// Adds the date of older versions, which have separate frames for the year and the day, and then the values in `named`.
  private mutating func finish() {
    if let year = year.flatMap(TagText.words) {
      let digits = day.map { Array($0.utf8) } ?? []
      let isDay = digits.count == 4 && digits.allSatisfy { (0x30...0x39).contains($0) }
      let text = { String(decoding: digits[$0], as: UTF8.self) }
      let isPlain = year.utf8.count == 4
      if properties[.date].isEmpty {
        add(isDay && isPlain ? "\(year)-\(text(2..<4))-\(text(0..<2))" : year, to: .date)
      }
    }
    properties.fill(from: named)
  }

  private static let dates: Set<String> = ["TYER", "TYE", "TDAT", "TDA"]

  private static let fields: [String: TagField] = [
    "TIT2": .title, "TPE1": .artist, "TALB": .album, "TPE2": .albumArtist, "TCOM": .composer, "TCON": .genre,
    "TRCK": .trackNumber, "TPOS": .discNumber, "TDRC": .date, "TDRL": .releaseDate, "TDOR": .originalDate,
    "TORY": .originalDate, "TBPM": .bpm, "TCMP": .compilation, "TSOT": .titleSort, "TSOP": .artistSort,
    "TSOA": .albumSort, "TSO2": .albumArtistSort, "TSOC": .composerSort, "XSOT": .titleSort,
    "XSOP": .artistSort, "XSOA": .albumSort,
    "TT2": .title, "TP1": .artist, "TAL": .album, "TP2": .albumArtist, "TCM": .composer, "TCO": .genre,
    "TRK": .trackNumber, "TPA": .discNumber, "TOR": .originalDate, "TBP": .bpm, "TCP": .compilation,
    "TST": .titleSort, "TSP": .artistSort, "TSA": .albumSort, "TS2": .albumArtistSort, "TSC": .composerSort,
  ]
}

/// The tag of 128 bytes at the end of older files.
enum ID3v1Tag {
  /// The tag's bytes; nil if there is none. The header of an APE tag of 131 bytes is no such tag, although `TAG`, out of its mark `APETAGEX`, stands 128
  /// bytes before the end.
  static func bytes(of file: FileBytes) -> [UInt8]? {
    guard let tag = file.exactly(128, at: file.size - 128), tag.starts(with: "TAG".utf8),
      file.exactly(8, at: file.size - 131)?.elementsEqual("APETAGEX".utf8) != true
    else { return nil }
    return tag
  }

  static func read(_ file: FileBytes, into findings: inout TagFindings) {
    guard let tag = bytes(of: file) else { return }
    var properties = TagProperties()
    func take(_ field: TagField, _ range: Range<Int>) {
      let text = tag[range].prefix { $0 != 0 }
      if let words = TagText.words(findings.legacy.text(text)) { properties.add(words, to: field) }
    }
    take(.title, 3..<33)
    take(.artist, 33..<63)
    take(.album, 63..<93)
    take(.date, 93..<97)
    take(.comment, 97..<127)
    if tag[125] == 0, tag[126] != 0 { properties.add("\(tag[126])", to: .trackNumber) }
    if let genre = ID3Genre.name(Int(tag[127])) { properties.add(genre, to: .genre) }
    findings.properties.fill(from: properties)
  }
}

/// The texts of a frame. The first byte of the frame names their encoding.
struct ID3Text {
  private enum Encoding {
    case latin1, utf8, utf16
  }

  /// The most texts of one frame that are read; nobody shows more.
  private static let mostValues = 256

  private let encoding: Encoding
  /// Whether UTF-16 has its upper byte first; a mark at the beginning of a text may change this.
  private var isBigEndian = false
  private var rest: ArraySlice<UInt8>
  private let legacy: LegacyText

  /// The texts that begin `count` bytes after the first byte. If the first byte names no encoding, it is part of the text.
  init?(_ content: [UInt8], skipping count: Int = 0, _ legacy: LegacyText) {
    guard let first = content.first, content.count >= 1 + count else { return nil }
    self.legacy = legacy
    rest = content.dropFirst(1 + count)
    switch first {
    case 0: encoding = .latin1
    case 1: (encoding, isBigEndian) = (.utf16, Self.seemsBigEndian(rest))
    case 2: (encoding, isBigEndian) = (.utf16, true)
    case 3: encoding = .utf8
    default:
      guard count == 0, first >= 0x20 else { return nil }
      (encoding, rest) = (.latin1, content[...])
    }
  }

  /// Takes the text up to the next terminator; nil after the last one.
  mutating func next() -> String? {
    guard !rest.isEmpty else { return nil }
    return encoding == .utf16 ? nextWide() : nextNarrow()
  }

  mutating func all() -> [String] {
    var texts: [String] = []
    while texts.count < Self.mostValues, let text = next() { texts.append(text) }
    return texts
  }

  private mutating func nextNarrow() -> String {
    let text = rest.prefix { $0 != 0 }
    rest = rest[text.endIndex...].dropFirst()
    return encoding == .utf8 ? String(decoding: text, as: UTF8.self) : legacy.text(text)
  }

  private mutating func nextWide() -> String? {
    var units: [UInt16] = []
    while let low = rest.popFirst(), let high = rest.popFirst() {
      let unit = isBigEndian ? UInt16(low) << 8 | UInt16(high) : UInt16(high) << 8 | UInt16(low)
      if unit == 0 { break }
      if unit == 0xfffe, units.isEmpty {
        isBigEndian.toggle()
      } else if unit != 0xfeff || !units.isEmpty {
        units.append(unit)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Guesses the byte order of a text without a mark: in most letters the upper byte is zero.
  private static func seemsBigEndian(_ text: ArraySlice<UInt8>) -> Bool {
    var (even, odd) = (0, 0)
    for (index, byte) in text.prefix(256).enumerated() where byte == 0 {
      if index % 2 == 0 { even += 1 } else { odd += 1 }
    }
    return even > odd
  }
}
