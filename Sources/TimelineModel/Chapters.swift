// SPDX-License-Identifier: MIT
import MediaModel

/// A chapter of a book or a recording: where it begins, and what it is called.
package struct Chapter: Sendable, Equatable {
  /// Where the chapter begins, in milliseconds from the beginning of the file.
  package var milliseconds: Int
  package var title: String?

  package init(_ milliseconds: Int, _ title: String?) {
    (self.milliseconds, self.title) = (milliseconds, title)
  }
}

/// Finds the chapters in the description part of a file. The sound itself is not read.
package enum Chapters {
  /// The most chapters that are read.
  package static let most = 4_096
  /// The longest title that is kept, in bytes.
  private static let longestTitle = 1_024

  /// The most chapters that Nero's list holds: it counts them in one byte.
  private static let mostListed = 255

  /// The chapters of an MP4 file. They are in a list as Nero's programs write it, or else in a track of texts as QuickTime writes it. A list that is full
  /// may lack the last chapters of a long book, so then the track counts if it has more.
  package static func inMP4(size: Int, _ bytes: @escaping MP4Boxes.Bytes) -> [Chapter] {
    guard let film = MP4Boxes.first("moov", in: 0..<max(0, size), bytes) else { return [] }
    let list = MP4Boxes.at(["udta", "chpl"], in: film, bytes).map { listed($0, bytes) } ?? []
    if list.count > 1, list.count < mostListed { return ordered(list) }
    let texts = texts(film, bytes)
    return ordered(texts.count > list.count ? texts : list)
  }

  /// The chapters of a Matroska file's first edition.
  package static func inMatroska(size: Int, _ bytes: @escaping MP4Boxes.Bytes) -> [Chapter] {
    guard let segment = element(0x1853_8067, in: 0..<max(0, size), bytes),
      let all = element(0x1043_a770, in: segment, bytes), let edition = element(0x45b9, in: all, bytes)
    else { return [] }
    var chapters: [Chapter] = []
    var atoms = EBMLElements(in: edition, bytes)
    while chapters.count < most, let atom = atoms.next() {
      guard atom.id == 0xb6, let start = element(0x91, in: atom.content, bytes),
        let nanoseconds = EBMLElements.number(start, bytes)
      else { continue }
      let title = element(0x80, in: atom.content, bytes).flatMap { element(0x85, in: $0, bytes) }
      chapters.append(
        Chapter(
          nanoseconds / 1_000_000, title.flatMap { text(bytes($0.lowerBound, min($0.count, longestTitle))) }))
    }
    return ordered(chapters)
  }

  private static func element(
    _ id: Int, in range: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes
  ) -> Range<Int>? {
    EBMLElements(in: range, bytes).first { $0.id == id }?.content
  }

  /// The chapters in the order of their beginnings, only one of those that begin at the same time.
  private static func ordered(_ chapters: [Chapter]) -> [Chapter] {
    var known: Set<Int> = []
    return chapters.sorted { $0.milliseconds < $1.milliseconds }.filter {
      known.insert($0.milliseconds).inserted
    }
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The text of a sample of QuickTime's text track: UTF-16 after a byte order mark, otherwise UTF-8.
  private static func sampleText(_ bytes: [UInt8]) -> String? {
    let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
    guard isLittleEndian || bytes.starts(with: [0xFE, 0xFF]) else { return text(bytes) }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    return text(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self).utf8)
  }

  // MARK: A list

  /// Reads Nero's list: times in tenths of a microsecond, and titles after their lengths.
  private static func listed(_ place: Range<Int>, _ bytes: MP4Boxes.Bytes) -> [Chapter] {
    var cursor = ByteCursor(bytes(place.lowerBound, min(place.count, mostListed * 264 + 16)))
    guard let version = cursor.number(1, .bigEndian), cursor.take(version > 0 ? 7 : 3) != nil,
      let count = cursor.number(1, .bigEndian)
    else { return [] }
    var chapters: [Chapter] = []
    for _ in 0..<count {
      guard let time = cursor.number(8, .bigEndian), let length = cursor.number(1, .bigEndian),
        let title = cursor.take(length)
      else { break }
      chapters.append(Chapter(time / 10_000, text(title)))
    }
    return chapters
  }

  // MARK: A track of texts

  /// Reads QuickTime's chapters: the texts of the track that the sound's track refers to.
  private static func texts(_ film: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) -> [Chapter] {
    var named: Int?
    var tracks: [Int: Range<Int>] = [:]
    for box in MP4Boxes(in: film, bytes) {
      guard box.name == "trak", tracks.count < 64 else { continue }
      if let header = MP4Boxes.first("tkhd", in: box.content, bytes),
        let number = number(header.lowerBound + (bytes(header.lowerBound, 1).first == 1 ? 20 : 12), bytes)
      {
        tracks[number] = box.content
      }
      if let reference = MP4Boxes.at(["tref", "chap"], in: box.content, bytes) {
        named = named ?? number(reference.lowerBound, bytes)
      }
    }
    guard let track = named.flatMap({ tracks[$0] }), let media = MP4Boxes.first("mdia", in: track, bytes),
      let header = MP4Boxes.first("mdhd", in: media, bytes),
      let scale = number(header.lowerBound + (bytes(header.lowerBound, 1).first == 1 ? 20 : 12), bytes),
      scale > 0,
      let table = MP4Boxes.at(["minf", "stbl"], in: media, bytes)
    else { return [] }
    let starts = starts(MP4Boxes.first("stts", in: table, bytes), bytes)
    let places = places(table, bytes)
    return zip(starts, places).map { start, place in
      // Each text comes after its length.
      let length = min(longestTitle, bytes(place, 2).reduce(0) { $0 << 8 | Int($1) })
      return Chapter(Int(Double(start) * 1_000 / Double(scale)), sampleText(bytes(place + 2, length)))
    }
  }

  private static func number(_ offset: Int, _ bytes: MP4Boxes.Bytes) -> Int? {
    var cursor = ByteCursor(bytes(offset, 4))
    return cursor.number(4, .bigEndian)
  }

  /// The four-byte numbers of a table, which come after its version and the count of its rows.
  private static func table(
    _ place: Range<Int>?, skipping skipped: Int = 4, _ bytes: MP4Boxes.Bytes, width: Int = 4, columns: Int
  ) -> [Int] {
    guard let place else { return [] }
    var cursor = ByteCursor(bytes(place.lowerBound, min(place.count, skipped + 4 + most * columns * width)))
    guard cursor.take(skipped) != nil, let rows = cursor.number(4, .bigEndian) else { return [] }
    var numbers: [Int] = []
    while numbers.count < min(rows, most) * columns, let next = cursor.number(width, .bigEndian) {
      numbers.append(next)
    }
    return numbers
  }

  /// The tick at which each chapter's text begins.
  private static func starts(_ times: Range<Int>?, _ bytes: MP4Boxes.Bytes) -> [Int] {
    let numbers = table(times, bytes, columns: 2)
    var (starts, tick): ([Int], Int) = ([], 0)
    for row in stride(from: 0, to: numbers.count - 1, by: 2) {
      for _ in 0..<min(numbers[row], most - starts.count) {
        starts.append(tick)
        // This does not overflow: each number is below 2^32, and there are few.
        tick += numbers[row + 1]
      }
    }
    return starts
  }

  /// The place of each chapter's text in the file. Texts are stored one after another in chunks, and another table has the number of texts in each
  /// chunk.
  private static func places(_ stbl: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) -> [Int] {
    let narrow = table(MP4Boxes.first("stco", in: stbl, bytes), bytes, columns: 1)
    let chunks =
      narrow.isEmpty ? table(MP4Boxes.first("co64", in: stbl, bytes), bytes, width: 8, columns: 1) : narrow
    let runs = table(MP4Boxes.first("stsc", in: stbl, bytes), bytes, columns: 3)
    guard let sizes = MP4Boxes.first("stsz", in: stbl, bytes) else { return [] }
    let same = number(sizes.lowerBound + 4, bytes) ?? 0
    let each = same > 0 ? [] : table(sizes, skipping: 8, bytes, columns: 1)
    var places: [Int] = []
    var run = 0
    for (index, chunk) in chunks.enumerated() {
      while run + 3 < runs.count, runs[run + 3] <= index + 1 { run += 3 }
      guard run + 1 < runs.count, chunk < 1 << 52 else { break }
      var place = chunk
      for _ in 0..<min(runs[run + 1], most - places.count) {
        if same == 0, places.count >= each.count { return places }
        places.append(place)
        place += same > 0 ? same : each[places.count - 1]
      }
    }
    return places
  }
}
