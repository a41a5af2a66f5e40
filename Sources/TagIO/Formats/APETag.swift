// SPDX-License-Identifier: MIT
internal import MediaModel
internal import TimelineModel

/// The tag at the end of WavPack, Monkey's Audio, Musepack and True Audio files: names and values, each after its size.
enum APETag {
  private static let mostItems = 512
  /// The largest tag that is read, in bytes: a large picture and some texts.
  private static let largest = 20 << 20

  /// Reads the tag at the end of a file, before an ID3v1 tag if there is one. Returns where the sound ends.
  static func read(_ file: FileBytes, into findings: inout TagFindings) -> Int {
    var end = file.size
    if ID3v1Tag.bytes(of: file) != nil { end -= 128 }
    guard let footer = file.exactly(32, at: end - 32) else { return end }
    var cursor = ByteCursor(footer)
    guard cursor.take(mark: "APETAGEX".utf8), cursor.take(4) != nil,
      let size = cursor.number(4, .littleEndian),
      let count = cursor.number(4, .littleEndian), let flags = cursor.number(4, .littleEndian),
      (32...largest).contains(size), size <= end
    else { return end }
    let start = end - size
    readItems(from: start, to: end - 32, count: count, file, into: &findings)
    // The size includes the footer, but not the header that the highest bit announces.
    return max(0, start - (flags >> 31 == 1 ? 32 : 0))
  }

  private static func readItems(
    from start: Int, to end: Int, count: Int, _ file: FileBytes, into findings: inout TagFindings
  ) {
    var offset = start
    for _ in 0..<min(count, mostItems) {
      // A name has at most 255 letters.
      var cursor = ByteCursor(file.bytes(at: offset, count: min(8 + 256, end - offset)))
      guard let size = cursor.number(4, .littleEndian), let flags = cursor.number(4, .littleEndian) else {
        return
      }
      let name = cursor.text()
      let value = offset + 8 + name.count + 1
      guard !name.isEmpty, size <= end - value else { return }
      let key = String(decoding: name, as: UTF8.self).uppercased()
      // Two bits of the flags tell what a value is: 0 is text, 1 anything else.
      if flags >> 1 & 3 == 0 {
        readText(key, file.bytes(at: value, count: min(size, TagReader.longestText)), into: &findings)
      } else if key == "COVER ART (FRONT)" || key == "COVER ART" {
        takePicture(value, size, file, into: &findings)
      }
      offset = value + size
    }
  }

  /// Adds the values of a text. There is a NUL between them if there are several.
  private static func readText(_ key: String, _ bytes: [UInt8], into findings: inout TagFindings) {
    guard let field = fields[key] ?? TagField(name: key) else { return }
    for value in bytes.split(separator: 0).prefix(TagProperties.mostValues) {
      findings.add(String(decoding: value, as: UTF8.self), to: field.rawValue)
    }
  }

  /// Takes a picture. Before its bytes, the value has the name of a file and a NUL.
  private static func takePicture(
    _ place: Int, _ size: Int, _ file: FileBytes, into findings: inout TagFindings
  ) {
    let name = file.bytes(at: place, count: min(size, 256)).prefix { $0 != 0 }.count + 1
    guard name < size else { return }
    findings.take(.init(kind: 3, size: size - name)) { file.bytes(at: place + name, count: size - name) }
  }

  private static let fields: [String: TagField] = [
    "TRACK": .trackNumber, "DISC": .discNumber, "YEAR": .date,
    "DISCNUMBER": .discNumber, "ALBUMARTIST": .albumArtist, "ALBUM ARTIST": .albumArtist,
  ]
}

extension TagFindings {
  /// Reads the tags after the sound, and notes that the sound lies between `start` and them. `isNative` says that the format's own tag is the one after
  /// the sound, so it counts more than one before it.
  mutating func takeSound(of file: FileBytes, from start: Int, isNative: Bool) {
    let leading = self
    forgetTags()
    let end = APETag.read(file, into: &self)
    if isNative { fill(from: leading) } else { yield(to: leading) }
    ID3v1Tag.read(file, into: &self)
    sound = min(start, end)..<end
  }
}

extension TagFindings {
  /// Takes a gain that the header of a file states. What its tag says counts more.
  fileprivate mutating func take(_ gain: MusepackHeader.Gain?, named name: String) {
    guard let gain else { return }
    if let field = TagField(name: "REPLAYGAIN_\(name)_GAIN") {
      adjustments.add("\(gain.decibels) dB", to: field)
    }
    if let peak = gain.peak, let field = TagField(name: "REPLAYGAIN_\(name)_PEAK") {
      adjustments.add("\(peak)", to: field)
    }
  }
}

/// Reads files of formats such as WavPack, which have a header, the sound, and a tag after it.
enum TaggedFile {
  /// Reads the file whose sound begins at an offset; false if it does not describe its sound.
  static func read(
    _ format: SoundFormat, _ file: FileBytes, at start: Int, into findings: inout TagFindings
  ) -> Bool {
    findings.takeSound(of: file, from: start, isNative: format != .trueAudio)
    let header = file.bytes(at: start, count: 128)
    guard let length = length(format, header, file, start, &findings) else { return false }
    findings.setLength(frames: length.frames, rate: length.rate, channels: length.channels)
    findings.setKilobits(bytes: findings.sound.count)
    return true
  }

  private typealias Length = (frames: Int, rate: Int, channels: Int)

  private static func length(
    _ format: SoundFormat, _ header: [UInt8], _ file: FileBytes, _ start: Int, _ findings: inout TagFindings
  ) -> Length? {
    var cursor = ByteCursor(header)
    switch format {
    case .wavPack: return wavPack(&cursor, file, start)
    case .trueAudio: return trueAudio(&cursor)
    case .monkeys: return monkeys(&cursor, file, start)
    case .musepack:
      guard let facts = MusepackHeader(header) else { return nil }
      findings.take(facts.track, named: "TRACK")
      findings.take(facts.album, named: "ALBUM")
      return (facts.frames ?? 0, facts.rate, facts.channels)
    default: return nil
    }
  }

  private static func wavPack(_ cursor: inout ByteCursor, _ file: FileBytes, _ start: Int) -> Length? {
    guard cursor.take(4) != nil, let size = cursor.number(4, .littleEndian), cursor.take(4) != nil,
      let frames = cursor.number(4, .littleEndian), cursor.take(8) != nil,
      let flags = cursor.number(4, .littleEndian)
    else { return nil }
    let rates = [
      6_000, 8_000, 9_600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200,
      96_000,
      192_000,
    ]
    let code = flags >> 23 & 15
    let block = start + 32..<start + 8 + max(24, min(size, 1 << 20))
    guard let stated = rates.indices.contains(code) ? rates[code] : number(of: 3, inPart: 0x27, file, block),
      let doublings = flags >> 31 & 1 == 0 ? 0 : number(of: 1, inPart: 0x0e, file, block), doublings < 8
    else { return (0, 0, 0) }
    let rate = stated << doublings
    // More channels than two are in several blocks, of which the first has the number of them all.
    let isWhole = flags & 0x1000 != 0
    let all = isWhole ? nil : number(of: 1, inPart: 0x0d, file, block)
    // A number of all ones stands for a recording whose end was not known.
    return (frames == 0xffff_ffff ? 0 : frames, rate, all ?? (flags & 4 != 0 ? 1 : 2))
  }

  /// The number of some bytes with which a part of a WavPack block begins: the sample rate, where the header has no code for it, how often that is
  /// to be doubled for DSD, or the number of channels. A part begins with its kind and its length in pairs of bytes.
  private static func number(of bytes: Int, inPart kind: Int, _ file: FileBytes, _ block: Range<Int>) -> Int?
  {
    var place = block.lowerBound
    for _ in 0..<32 where place < block.upperBound {
      var cursor = ByteCursor(file.bytes(at: place, count: 8))
      guard let id = cursor.number(1, .littleEndian) else { return nil }
      let isLarge = id & 0x80 != 0
      guard let pairs = cursor.number(isLarge ? 3 : 1, .littleEndian) else { return nil }
      if id & 0x3f == kind { return cursor.number(bytes, .littleEndian) }
      place += (isLarge ? 4 : 2) + 2 * pairs
    }
    return nil
  }

  private static func trueAudio(_ cursor: inout ByteCursor) -> Length? {
    guard cursor.take(6) != nil, let channels = cursor.number(2, .littleEndian), cursor.take(2) != nil,
      let rate = cursor.number(4, .littleEndian), let frames = cursor.number(4, .littleEndian)
    else { return nil }
    return (frames, rate, channels)
  }

  private static func monkeys(_ cursor: inout ByteCursor, _ file: FileBytes, _ start: Int) -> Length? {
    guard cursor.take(4) != nil, let version = cursor.number(2, .littleEndian) else { return nil }
    guard version >= 3_980 else { return oldMonkeys(&cursor, version) }
    guard cursor.take(2) != nil, let descriptor = cursor.number(4, .littleEndian) else { return nil }
    var header = ByteCursor(file.bytes(at: start + descriptor, count: 24))
    guard header.take(4) != nil, let blocks = header.number(4, .littleEndian),
      let last = header.number(4, .littleEndian), let count = header.number(4, .littleEndian),
      header.take(2) != nil, let channels = header.number(2, .littleEndian),
      let rate = header.number(4, .littleEndian)
    else { return nil }
    return (monkeys(packets: count, of: blocks, last: last), rate, channels)
  }

  /// Reads the header of a file from before version 3.98. There, the number of frames in a packet depends on the version and the compression level.
  private static func oldMonkeys(_ cursor: inout ByteCursor, _ version: Int) -> Length? {
    guard let effort = cursor.number(2, .littleEndian), cursor.take(2) != nil,
      let channels = cursor.number(2, .littleEndian), let rate = cursor.number(4, .littleEndian),
      cursor.take(8) != nil, let count = cursor.number(4, .littleEndian),
      let last = cursor.number(4, .littleEndian)
    else { return nil }
    let isLarge = version >= 3_900 || version >= 3_800 && effort >= 4_000
    let blocks = version >= 3_950 ? 4 * 73_728 : isLarge ? 73_728 : 9_216
    return (monkeys(packets: count, of: blocks, last: last), rate, channels)
  }

  /// The number of frames in a file's packets: `blocks` in each but the last, which has `last`. Zero if the numbers are impossible.
  private static func monkeys(packets: Int, of blocks: Int, last: Int) -> Int {
    // The numbers have 32 bits each, so their product may overflow.
    let (frames, overflow) = max(0, packets - 1).multipliedReportingOverflow(by: blocks)
    return overflow || frames > 1 << 53 ? 0 : frames + last
  }
}
