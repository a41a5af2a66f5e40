// SPDX-License-Identifier: MIT
internal import MediaModel
internal import TimelineModel

/// A Matroska or WebM file: elements with the length, the tracks, the tags and attached files, pictures among them.
struct MatroskaFile {
  /// The IDs of the elements that are read.
  private enum ID {
    static let segment = 0x1853_8067
    static let info = 0x1549_a966, scale = 0x2a_d7b1, duration = 0x4489, title = 0x7ba9
    static let tracks = 0x1654_ae6b, track = 0xae, audio = 0xe1, rate = 0xb5, channels = 0x9f
    static let tags = 0x1254_c367, tag = 0x7373, targets = 0x63c0, level = 0x68ca
    static let chapterTarget = 0x63c4, editionTarget = 0x63c9, attachmentTarget = 0x63c6
    static let simpleTag = 0x67c8, name = 0x45a3, text = 0x4487
    static let attachments = 0x1941_a469, attachment = 0x61a7, fileName = 0x466e, mediaType = 0x4660
    static let data = 0x465c
    static let cluster = 0x1f43_b675
  }

  private let file: FileBytes
  private let bytes: MP4Boxes.Bytes
  private var scale = 1_000_000
  private var units: Double?
  private var rate = 0
  private var channels = 0
  private var title: String?

  private init(_ file: FileBytes) {
    self.file = file
    bytes = { file.bytes(at: $0, count: $1) }
  }

  /// Reads the file that begins at an offset; false if it has no track with sound.
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var reader = MatroskaFile(file)
    for element in EBMLElements(in: start..<file.size, reader.bytes) {
      guard element.id == ID.segment else { continue }
      reader.readSegment(element.content, into: &findings)
      break
    }
    return reader.finish(into: &findings)
  }

  private mutating func readSegment(_ segment: Range<Int>, into findings: inout TagFindings) {
    for element in EBMLElements(in: segment, bytes) {
      switch element.id {
      case ID.info: readInfo(element.content)
      case ID.tracks: readTracks(element.content)
      case ID.tags: readTags(element.content, into: &findings)
      case ID.attachments: readAttachments(element.content, into: &findings)
      case ID.cluster:
        if findings.sound.isEmpty { findings.sound = element.content.lowerBound..<segment.upperBound }
      default: break
      }
    }
  }

  private mutating func finish(into findings: inout TagFindings) -> Bool {
    if let title, findings.properties[.title].isEmpty { findings.properties.add(title, to: .title) }
    (findings.rate, findings.channels) = (rate, channels)
    if let units {
      let seconds = units * Double(scale) / 1e9
      if seconds > 0, seconds < 1e8 { findings.duration = .nanoseconds(Int64(seconds * 1e9)) }
    }
    findings.setKilobits(bytes: findings.sound.count)
    return rate > 0 && channels > 0
  }

  private mutating func readInfo(_ place: Range<Int>) {
    for element in EBMLElements(in: place, bytes) {
      switch element.id {
      case ID.scale: scale = EBMLElements.number(element.content, bytes) ?? scale
      case ID.duration: units = EBMLElements.real(element.content, bytes)
      case ID.title: title = text(element.content)
      default: break
      }
    }
  }

  /// Reads the first track with sound.
  private mutating func readTracks(_ place: Range<Int>) {
    for track in EBMLElements(in: place, bytes) {
      guard track.id == ID.track, rate == 0 else { continue }
      for element in EBMLElements(in: track.content, bytes) {
        if element.id == ID.audio { readAudio(element.content) }
      }
    }
  }

  private mutating func readAudio(_ place: Range<Int>) {
    // These values apply if the file has no others.
    (rate, channels) = (8_000, 1)
    for element in EBMLElements(in: place, bytes) {
      switch element.id {
      case ID.rate:
        let value = EBMLElements.real(element.content, bytes) ?? 0
        rate = value >= 1 && value < 1e9 ? Int(value) : 0
      case ID.channels: channels = EBMLElements.number(element.content, bytes) ?? 1
      default: break
      }
    }
  }

  private func readTags(_ place: Range<Int>, into findings: inout TagFindings) {
    for tag in EBMLElements(in: place, bytes) {
      guard tag.id == ID.tag else { continue }
      var subject: Subject? = .track
      for element in EBMLElements(in: tag.content, bytes) {
        switch element.id {
        case ID.targets: subject = self.subject(element.content)
        case ID.simpleTag: if let subject { readTag(element.content, of: subject, into: &findings) }
        default: break
        }
      }
    }
  }

  /// What a tag describes: one level of the music.
  private enum Subject {
    case track
    /// A part of an album, such as one of its discs.
    case part
    case album
    /// A collection of albums, such as a box.
    case collection

    init(level: Int) {
      self =
        switch level {
        case ..<40: .track
        case 40..<50: .part
        case 50..<60: .album
        default: .collection
        }
    }
  }

  /// What a tag with these targets describes; nil if that is not the file, but one of its chapters or attachments.
  private func subject(_ place: Range<Int>) -> Subject? {
    var subject = Subject.track
    for target in EBMLElements(in: place, bytes) {
      let number = EBMLElements.number(target.content, bytes) ?? 0
      switch target.id {
      case ID.level: subject = Subject(level: number)
      // The number 0 means all of them.
      case ID.chapterTarget, ID.editionTarget, ID.attachmentTarget: if number != 0 { return nil }
      default: break
      }
    }
    return subject
  }

  private func readTag(_ place: Range<Int>, of subject: Subject, into findings: inout TagFindings) {
    var (name, value) = ("", "")
    for element in EBMLElements(in: place, bytes) {
      if element.id == ID.name { name = text(element.content).uppercased() }
      if element.id == ID.text { value = text(element.content) }
    }
    if let field = Self.field(name, of: subject), !value.isEmpty { findings.add(value, to: field.rawValue) }
  }

  /// The field that a name means. The names of a level are those of its own title and of its own number in the level above; programs that don't use
  /// levels write an album beside a title.
  private static func field(_ name: String, of subject: Subject) -> TagField? {
    switch (subject, name) {
    case (.album, "TITLE"): .album
    case (.album, "ARTIST"): .albumArtist
    case (.album, "PART_NUMBER"), (.part, "PART_NUMBER"): .discNumber
    case (.album, "REPLAYGAIN_GAIN"): TagField(name: "REPLAYGAIN_ALBUM_GAIN")
    case (.album, "REPLAYGAIN_PEAK"): TagField(name: "REPLAYGAIN_ALBUM_PEAK")
    case (.track, "REPLAYGAIN_GAIN"): TagField(name: "REPLAYGAIN_TRACK_GAIN")
    case (.track, "REPLAYGAIN_PEAK"): TagField(name: "REPLAYGAIN_TRACK_PEAK")
    case (.collection, "TOTAL_PARTS"): .discTotal
    case (.part, "TITLE"), (.part, "ARTIST"), (.collection, "TITLE"), (.collection, "ARTIST"),
      (.collection, "PART_NUMBER"):
      nil
    default: fields[name] ?? TagField(name: name)
    }
  }

  private static let fields: [String: TagField] = [
    "PART_NUMBER": .trackNumber, "TRACK": .trackNumber, "TOTAL_PARTS": .trackTotal, "DATE_RELEASED": .date,
    "DATE_RECORDED": .date, "ALBUM_ARTIST": .albumArtist, "DISC": .discNumber,
  ]

  private func readAttachments(_ place: Range<Int>, into findings: inout TagFindings) {
    for attachment in EBMLElements(in: place, bytes) {
      guard attachment.id == ID.attachment else { continue }
      var (name, kind, data) = ("", "", 0..<0)
      for element in EBMLElements(in: attachment.content, bytes) {
        switch element.id {
        case ID.fileName: name = text(element.content)
        case ID.mediaType: kind = text(element.content)
        case ID.data: data = element.content
        default: break
        }
      }
      guard kind.utf8.starts(with: "image/".utf8) else { continue }
      let isCover = name.lowercased().utf8.starts(with: "cover".utf8)
      findings.take(.init(kind: isCover ? 3 : 0, size: data.count)) {
        file.bytes(at: data.lowerBound, count: data.count)
      }
    }
  }

  private func text(_ place: Range<Int>) -> String {
    let bytes = file.bytes(at: place.lowerBound, count: min(place.count, TagReader.longestText))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
