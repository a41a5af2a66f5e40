// SPDX-License-Identifier: MIT
internal import MediaModel

/// A Windows Media file: a sequence of objects, each with an ID of 16 bytes that tells its kind.
enum ASFFile {
  private static let mostObjects = 256
  private static let mostValues = 1_024

  // The first eight bytes of each ID are enough to tell them apart.
  private static let properties: [UInt8] = [0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11]
  private static let stream: [UInt8] = [0x91, 0x07, 0xdc, 0xb7, 0xb7, 0xa9, 0xcf, 0x11]
  private static let audio: [UInt8] = [0x40, 0x9e, 0x69, 0xf8, 0x4d, 0x5b, 0xcf, 0x11]
  private static let description: [UInt8] = [0x33, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]
  private static let more: [UInt8] = [0x40, 0xa4, 0xd0, 0xd2, 0x07, 0xe3, 0xd2, 0x11]
  private static let extended: [UInt8] = [0xb5, 0x03, 0xbf, 0x5f, 0x2e, 0xa9, 0xcf, 0x11]
  private static let metadata: [UInt8] = [0xea, 0xcb, 0xf8, 0xc5, 0xaf, 0x5b, 0x77, 0x48]
  private static let library: [UInt8] = [0x94, 0x1c, 0x23, 0x44, 0x98, 0x94, 0xd1, 0x49]

  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var header = ByteCursor(file.bytes(at: start, count: 30))
    guard header.take(16) != nil, let size = header.number(8, .littleEndian) else { return false }
    let end = start + min(size, file.size - start)
    // The objects with further values of a name may come before the one with its first value, but count after it.
    for isFurther in [false, true] {
      readObjects(min(start + 30, end)..<end, file, isFurther: isFurther, into: &findings)
    }
    findings.sound = min(end, file.size)..<file.size
    findings.setKilobits(bytes: findings.sound.count)
    return findings.rate > 0
  }

  private static func readObjects(
    _ place: Range<Int>, _ file: FileBytes, isFurther: Bool, isInner: Bool = false,
    into findings: inout TagFindings
  ) {
    var offset = place.lowerBound
    for _ in 0..<mostObjects {
      var cursor = ByteCursor(file.bytes(at: offset, count: 24))
      guard let id = cursor.take(16), let size = cursor.number(8, .littleEndian), size >= 24,
        size <= place.upperBound - offset
      else { return }
      let content = offset + 24..<offset + size
      switch Array(id.prefix(8)) {
      // It has an ID, a number and a size before the objects in it.
      case extended where !isInner && content.count > 22:
        readObjects(
          content.lowerBound + 22..<content.upperBound, file, isFurther: isFurther, isInner: true,
          into: &findings)
      case metadata, library:
        if isFurther { readLibrary(content, file, into: &findings) }
      case _ where isFurther: break
      case properties: readLength(file.bytes(at: content.lowerBound, count: 64), into: &findings)
      case stream: readStream(file.bytes(at: content.lowerBound, count: 66), into: &findings)
      case description: readDescription(content, file, into: &findings)
      case more: readMore(content, file, into: &findings)
      default: break
      }
      offset = content.upperBound
    }
  }

  /// Reads the length from its object. It is in tenths of a microsecond, and includes the time that a player buffers at first, in milliseconds.
  private static func readLength(_ bytes: [UInt8], into findings: inout TagFindings) {
    var cursor = ByteCursor(bytes)
    guard cursor.take(40) != nil, let length = cursor.number(8, .littleEndian), cursor.take(8) != nil,
      let ahead = cursor.number(8, .littleEndian), length < 1 << 55, ahead < 1 << 40
    else { return }
    let microseconds = length / 10 - ahead * 1_000
    if microseconds > 0 { findings.duration = .microseconds(microseconds) }
  }

  private static func readStream(_ bytes: [UInt8], into findings: inout TagFindings) {
    guard bytes.starts(with: audio) else { return }
    var cursor = ByteCursor(bytes.dropFirst(54))
    guard cursor.take(2) != nil, let channels = cursor.number(2, .littleEndian),
      let rate = cursor.number(4, .littleEndian)
    else { return }
    (findings.rate, findings.channels) = (rate, channels)
  }

  /// Reads the object with five texts, whose sizes come before them.
  private static func readDescription(
    _ place: Range<Int>, _ file: FileBytes, into findings: inout TagFindings
  ) {
    // Five sizes of two bytes each allow no more.
    var cursor = ByteCursor(file.bytes(at: place.lowerBound, count: min(place.count, 10 + 5 * 65_535)))
    let sizes = (0..<5).compactMap { _ in cursor.number(2, .littleEndian) }
    guard sizes.count == 5 else { return }
    for (size, field) in zip(sizes, [TagField.title, .artist, nil, .comment, nil]) {
      guard let text = cursor.take(size) else { return }
      if let field, size > 2 { findings.add(Self.text(text), to: field.rawValue) }
    }
  }

  /// Reads the object with any number of values, each with a name.
  private static func readMore(_ place: Range<Int>, _ file: FileBytes, into findings: inout TagFindings) {
    var offset = place.lowerBound + 2
    for _ in 0..<mostValues {
      guard let size = short(file, offset), offset + 2 + size + 4 <= place.upperBound else { return }
      let name = text(file.bytes(at: offset + 2, count: size)[...])
      offset += 2 + size
      guard let kind = short(file, offset), let length = short(file, offset + 2) else { return }
      let value = offset + 4..<min(place.upperBound, offset + 4 + length)
      take(name, kind, value, file, into: &findings)
      offset = value.upperBound
    }
  }

  /// Reads an object with values that may be large, such as pictures, or are further ones of a name. Each has a language, a stream, a name and a kind.
  private static func readLibrary(_ place: Range<Int>, _ file: FileBytes, into findings: inout TagFindings) {
    var offset = place.lowerBound + 2
    for _ in 0..<mostValues {
      var cursor = ByteCursor(file.bytes(at: offset, count: 12))
      guard offset + 12 <= place.upperBound, cursor.take(4) != nil,
        let size = cursor.number(2, .littleEndian), let kind = cursor.number(2, .littleEndian),
        let length = cursor.number(4, .littleEndian), offset + 12 + size <= place.upperBound
      else { return }
      let start = offset + 12 + size
      let value = start..<start + min(length, place.upperBound - start)
      take(text(file.bytes(at: offset + 12, count: size)[...]), kind, value, file, into: &findings)
      offset = value.upperBound
    }
  }

  /// Takes a value with its name. Some programs write one into two objects.
  private static func take(
    _ name: String, _ kind: Int, _ place: Range<Int>, _ file: FileBytes, into findings: inout TagFindings
  ) {
    if name == "WM/Picture", kind == 1 { return takePicture(place, file, into: &findings) }
    guard let field = fields[name] ?? TagField(name: name) else { return }
    let bytes = file.bytes(at: place.lowerBound, count: min(place.count, 2 * TagReader.longestText))
    let value = value(kind, bytes)
    if !findings.properties[field].contains(value) { findings.add(value, to: field.rawValue) }
  }

  private static func short(_ file: FileBytes, _ offset: Int) -> Int? {
    var cursor = ByteCursor(file.bytes(at: offset, count: 2))
    return cursor.number(2, .littleEndian)
  }

  /// A value as text. Kind 0 is a text, 2 a Boolean, and 3 to 5 are numbers.
  private static func value(_ kind: Int, _ bytes: [UInt8]) -> String {
    if kind == 0 { return text(bytes[...]) }
    var cursor = ByteCursor(bytes)
    return (2...5).contains(kind)
      ? cursor.number(min(8, bytes.count), .littleEndian).map(String.init) ?? "" : ""
  }

  /// Takes a picture from its value: the picture's kind, its size, its type and a description, both in UTF-16, and the picture.
  private static func takePicture(_ place: Range<Int>, _ file: FileBytes, into findings: inout TagFindings) {
    let head = file.bytes(at: place.lowerBound, count: min(1_024, place.count))
    var cursor = ByteCursor(head)
    guard let kind = cursor.number(1, .littleEndian), cursor.take(4) != nil else { return }
    for _ in 0..<2 {
      while let letter = cursor.take(2), letter.contains(where: { $0 != 0 }) {}
    }
    let start = place.lowerBound + head.count - cursor.rest.count
    findings.take(.init(kind: kind, size: place.upperBound - start)) {
      file.bytes(at: start, count: place.upperBound - start)
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    var cursor = ByteCursor(bytes)
    while let unit = cursor.number(2, .littleEndian), unit != 0 { units.append(UInt16(unit)) }
    return String(decoding: units, as: UTF16.self)
  }

  private static let fields: [String: TagField] = [
    "WM/AlbumTitle": .album, "WM/AlbumArtist": .albumArtist, "WM/Genre": .genre, "WM/Year": .date,
    "WM/TrackNumber": .trackNumber, "WM/PartOfSet": .discNumber, "WM/Composer": .composer,
    "WM/Lyrics": .lyrics,
    "WM/BeatsPerMinute": .bpm, "WM/IsCompilation": .compilation, "Author": .artist, "Title": .title,
    "WM/TitleSortOrder": .titleSort, "WM/ArtistSortOrder": .artistSort, "WM/AlbumSortOrder": .albumSort,
    "WM/AlbumArtistSortOrder": .albumArtistSort, "WM/ComposerSortOrder": .composerSort,
  ]
}
