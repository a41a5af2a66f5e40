// SPDX-License-Identifier: MIT
internal import MediaModel
internal import TimelineModel

/// An MP4 file. Its tags are boxes in a list, each with its value in an inner box.
enum MP4File {
  /// How many tags are read at most.
  private static let mostItems = 512

  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    let bytes: MP4Boxes.Bytes = { file.bytes(at: $0, count: $1) }
    guard let film = MP4Timeline(from: start, size: file.size, bytes), let track = film.sounds.first else {
      return false
    }
    if let place = MP4Boxes.at(["moov", "udta", "meta"], in: start..<file.size, bytes) {
      // Four bytes come before the boxes in a box of tags, except in QuickTime files.
      let inner = min(place.lowerBound + 4, place.upperBound)..<place.upperBound
      if let list = MP4Boxes.first("ilst", in: inner, bytes) ?? MP4Boxes.first("ilst", in: place, bytes) {
        readItems(list, file, bytes, into: &findings)
      }
    }
    if let brand = MP4Boxes.first("ftyp", in: start..<file.size, bytes),
      file.bytes(at: brand.lowerBound, count: 4).elementsEqual("M4B ".utf8)
    {
      markAsBook(&findings)
    }
    let sound = MP4Sound(file, bytes, from: start, number: track.number)
    let rate = sound.rate > 0 ? sound.rate : track.scale
    let cut = film.cut(track: track.number, rate: rate)
    let fragments = film.isFragmented ? MP4Fragments(of: track, from: start, size: file.size, bytes) : nil
    if let end = cut.end ?? fragments?.length(filmScale: film.scale)?.frames(rate: rate) {
      findings.setLength(frames: end - cut.start, rate: rate, channels: sound.channels)
    } else {
      (findings.rate, findings.channels) = (rate, sound.channels)
    }
    // Of which sound this is was told without a length when nobody read the fragments, and the answer must stay the same.
    if fragments != nil, cut.end == nil { findings.uncutDuration = .zero }
    if let ticks = track.ticks, track.scale > 0, ticks < 1 << 53 {
      let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: track.scale)
      findings.uncutDuration = .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / track.scale)
    }
    if let media = MP4Boxes.first("mdat", in: start..<file.size, bytes) {
      findings.sound = media
      findings.setKilobits(bytes: fragments == nil ? media.count : file.size - start)
    }
    return true
  }

  private static func readItems(
    _ list: Range<Int>, _ file: FileBytes, _ bytes: @escaping MP4Boxes.Bytes, into findings: inout TagFindings
  ) {
    for item in MP4Boxes(in: list, bytes).prefix(mostItems) {
      if item.name == "----" {
        readNamed(item.content, file, bytes, into: &findings)
      } else {
        for value in MP4Boxes(in: item.content, bytes) {
          if value.name == "data" { read(value.content, of: item.name, file, into: &findings) }
        }
      }
    }
  }

  /// Reads a tag whose name the writing program chose, such as those for loudness.
  private static func readNamed(
    _ item: Range<Int>, _ file: FileBytes, _ bytes: @escaping MP4Boxes.Bytes, into findings: inout TagFindings
  ) {
    guard let place = MP4Boxes.first("name", in: item, bytes),
      let value = MP4Boxes.first("data", in: item, bytes)
    else { return }
    let name = file.bytes(at: place.lowerBound, count: min(64, place.count)).dropFirst(4)
    findings.add(text(value, file), to: String(decoding: name, as: UTF8.self))
  }

  /// Reads a value: four bytes for its type, four for the country, and the value itself.
  private static func read(
    _ value: Range<Int>, of name: String, _ file: FileBytes, into findings: inout TagFindings
  ) {
    guard value.count >= 8 else { return }
    let body = value.lowerBound + 8..<value.upperBound
    if let field = fields[name] {
      findings.add(text(value, file), to: field.rawValue)
      return
    }
    let head = file.bytes(at: body.lowerBound, count: min(8, body.count))
    switch name {
    case "trkn", "disk":
      guard head.count >= 4 else { return }
      let number = Int(head[2]) << 8 | Int(head[3])
      // Some programs leave out how many there are.
      let count = head.count >= 6 ? Int(head[4]) << 8 | Int(head[5]) : 0
      if number > 0 || count > 0 {
        findings.properties.add(
          count > 0 ? "\(number)/\(count)" : "\(number)", to: name == "trkn" ? .trackNumber : .discNumber)
      }
    case "gnre":
      guard head.count >= 2, let genre = ID3Genre.name(Int(head[0]) << 8 + Int(head[1]) - 1) else { return }
      findings.properties.add(genre, to: .genre)
    case "tmpo":
      let bpm = head.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      if bpm > 0 { findings.properties.add("\(bpm)", to: .bpm) }
    case "cpil": findings.properties.add(head.first == 1 ? "1" : "0", to: .compilation)
    case "pcst": if head.first == 1 { findings.properties.add("1", to: .podcast) }
    // The kind of medium in iTunes's numbers: 2 is an audiobook.
    case "stik": if head.first == 2 { markAsBook(&findings) }
    case "covr":
      findings.take(.init(kind: 3, size: body.count)) { file.bytes(at: body.lowerBound, count: body.count) }
    default: break
    }
  }

  private static func markAsBook(_ findings: inout TagFindings) {
    if MediaTags(findings.properties).mediaType == .music { findings.properties.add("Audiobook", to: .genre) }
  }

  private static func text(_ value: Range<Int>, _ file: FileBytes) -> String {
    guard value.count > 8, value.count - 8 <= TagReader.longestText else { return "" }
    return String(decoding: file.bytes(at: value.lowerBound + 8, count: value.count - 8), as: UTF8.self)
  }

  private static let fields: [String: TagField] = [
    "©nam": .title, "©ART": .artist, "©alb": .album, "aART": .albumArtist, "©wrt": .composer, "©gen": .genre,
    "©day": .date, "©cmt": .comment, "desc": .description, "©lyr": .lyrics, "sonm": .titleSort,
    "soar": .artistSort, "soal": .albumSort, "soaa": .albumArtistSort, "soco": .composerSort,
  ]
}

/// The rate and the channels of a sound in an MP4 file, as its description states them.
private struct MP4Sound {
  var rate = 0
  var channels = 0

  init(_ file: FileBytes, _ bytes: @escaping MP4Boxes.Bytes, from start: Int, number: Int) {
    guard let film = MP4Boxes.first("moov", in: start..<file.size, bytes) else { return }
    for box in MP4Boxes(in: film, bytes) {
      guard box.name == "trak",
        let kind = MP4Boxes.at(["mdia", "hdlr"], in: box.content, bytes),
        file.bytes(at: kind.lowerBound + 8, count: 4).elementsEqual("soun".utf8),
        let coding = MP4Boxes.at(["mdia", "minf", "stbl", "stsd"], in: box.content, bytes)
      else { continue }
      read(coding, bytes)
      return
    }
  }

  /// Reads the first description: after its name come 8 bytes, 8 bytes of version and maker, then the channels, the bits, and the rate in the upper
  /// half of its field.
  private mutating func read(_ coding: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) {
    var cursor = ByteCursor(bytes(coding.lowerBound + 8, min(40, coding.count)))
    guard cursor.take(4) != nil, let name = cursor.take(4), cursor.take(16) != nil,
      let channels = cursor.number(2, .bigEndian), cursor.take(6) != nil,
      let rate = cursor.number(2, .bigEndian)
    else { return }
    (self.channels, self.rate) = (channels, rate)
    // The field above has only 16 bits for the rate, so an ALAC track states it again in an inner box.
    if MP4Boxes.text(name) == "alac" { readALAC(coding, bytes) }
  }

  private mutating func readALAC(_ coding: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) {
    // Skips the header of the list, and the header of the description with its fixed part.
    let inner = min(coding.upperBound, coding.lowerBound + 8 + 36)..<coding.upperBound
    guard let place = MP4Boxes.first("alac", in: inner, bytes), place.count >= 28 else { return }
    var cursor = ByteCursor(bytes(place.lowerBound, 28))
    guard cursor.take(13) != nil, let channels = cursor.number(1, .bigEndian), cursor.take(10) != nil,
      let rate = cursor.number(4, .bigEndian)
    else { return }
    (self.channels, self.rate) = (channels, rate)
  }
}
