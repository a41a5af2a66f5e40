// SPDX-License-Identifier: MIT
import CommandModel
package import LibraryQuery
package import MediaModel
import PlaylistModel

/// The file with a listener's ratings, counts, notes and smart playlists, for a backup or for another machine: JSON, one object a line.
///
/// The first line says what the file is. A line with `url` is a sound, one with `playlist` a smart playlist. Unknown names in an object and objects
/// of other kinds are ignored, so that a newer program may add some. docs/decisions/library.md describes the format for authors of other programs
/// that write such files.
package enum ListeningFile {
  /// One line of the file, after the first.
  package enum Line: Sendable, Hashable {
    case sound(ListeningEntry)
    case playlist(SmartPlaylist)
  }

  /// Why some bytes are not a file with a listener's ratings, counts and notes.
  package enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    case other
    case newer(Int)

    package var description: String {
      switch self {
      case .other: "it is no file that 'fermata library export' writes: its first line does not say so"
      case .newer(let version):
        "a newer fermata wrote it, in version \(version) of the format; install that one to read it"
      }
    }
  }

  private static let version = 1
  /// The longest line that is read, in bytes. A sound has at most a few notes of 64 kB each.
  package static let longestLine = 1 << 24
  /// How many of the lines that could not be read are reported in words at most; the rest are only counted.
  private static let mostProblems = 5

  // MARK: Writing

  /// The first line of the file, which says what the file is. `moment` is when it is written, in seconds since 1970.
  package static func header(at moment: Int64) -> [UInt8] {
    line([
      "fermata": .string("listening"), "version": .integer(version),
      "written": MomentText.text(moment).map(JSONValue.string),
    ])
  }

  package static func bytes(_ entry: ListeningEntry) -> [UInt8] {
    let listening = entry.listening
    return line([
      // A program that knows nothing of parts must not take what was said of one for the whole file.
      (entry.start == nil ? "url" : "partOf"): .string(entry.path.uri),
      "start": entry.start.map { JSONValue.integer($0.frames) },
      "sound": entry.fingerprint.map { JSONValue.string(hex($0.rawValue)) },
      "rating": number(listening.rating), "playCount": number(listening.playCount),
      "skipCount": number(listening.skipCount),
      "lastPlayed": listening.lastPlayed.flatMap(MomentText.text).map(JSONValue.string),
      "resume": entry.place.map(JSONValue.seconds),
      "notes": entry.notes.isEmpty
        ? nil : .object(entry.notes.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
    ])
  }

  package static func bytes(_ playlist: SmartPlaylist) -> [UInt8] {
    line([
      "playlist": .string(playlist.name), "query": .string(playlist.predicate.description),
      "sort": playlist.sort.isEmpty ? nil : .string(playlist.sortText),
      "limit": playlist.limit.map(JSONValue.integer),
    ])
  }

  private static func line(_ members: KeyValuePairs<String, JSONValue?>) -> [UInt8] {
    Array((JSONValue.object(present: members).text + "\n").utf8)
  }

  private static func number(_ number: Int) -> JSONValue? { number > 0 ? .integer(number) : nil }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  // MARK: Reading

  /// The longest first line of a file, in bytes.
  package static let longestHeader = 4_096

  /// Whether a file that begins with these bytes is one of these, of this version or a later one.
  package static func isOne(beginning bytes: [UInt8]) -> Bool {
    do throws(Refusal) { try check(bytes.prefix { $0 != UInt8(ascii: "\n") }) } catch {
      if case .newer = error { return true }
      return false
    }
    return true
  }

  /// Reads a file. Lines that can't be read are left out and noted in the report.
  package static func read(_ bytes: [UInt8]) throws(Refusal) -> (lines: [Line], report: ImportReport) {
    var (lines, report) = ([Line](), ImportReport())
    // Line by line, because a list of all lines of a hostile file would take many times its size.
    var (number, rest) = (0, bytes[...])
    while true {
      let text = rest.prefix { $0 != UInt8(ascii: "\n") }
      number += 1
      if number == 1 { try check(text) } else { read(text, number, &lines, &report) }
      guard text.endIndex < rest.endIndex else { return (lines, report) }
      rest = rest[(text.endIndex + 1)...]
    }
  }

  private static func read(
    _ text: ArraySlice<UInt8>, _ number: Int, _ lines: inout [Line], _ report: inout ImportReport
  ) {
    if text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return }
    do throws(Fault) {
      if let line = try line(text) { lines.append(line) }
    } catch {
      report.unreadable += 1
      if report.problems.count < mostProblems { report.problems.append("line \(number): \(error.reason)") }
    }
  }

  /// What is wrong with a line, worded as the end of a sentence that begins with the line's number.
  private struct Fault: Error {
    let reason: String
  }

  private static func check(_ text: ArraySlice<UInt8>) throws(Refusal) {
    guard text.count < longestHeader, let object = (try? JSONReader.read(text))?.members,
      object["fermata"]?.string == "listening", let version = object["version"]?.integer
    else { throw .other }
    guard version <= Self.version else { throw .newer(version) }
  }

  private static func line(_ text: ArraySlice<UInt8>) throws(Fault) -> Line? {
    guard text.count <= longestLine else { throw Fault(reason: "it has more than \(longestLine >> 20) MiB") }
    let value: JSONValue
    do throws(JSONReader.Fault) { value = try JSONReader.read(text) } catch {
      throw Fault(reason: error.description)
    }
    guard let members = value.members else { throw Fault(reason: "it is no object") }
    if let url = members["url"] { return .sound(try sound(url, members)) }
    if let url = members["partOf"] {
      guard let start = members["start"]?.integer, (0...DiscTime.most.frames).contains(start) else {
        throw Fault(reason: "its start is no number of frames")
      }
      return .sound(try sound(url, at: DiscTime(frames: start), members))
    }
    if let name = members["playlist"] { return .playlist(try playlist(name, members)) }
    return nil
  }

  private static func sound(
    _ url: JSONValue, at start: DiscTime? = nil, _ members: [String: JSONValue]
  ) throws(Fault) -> ListeningEntry {
    guard let uri = url.string, let path = try? FilePath(uri: uri), path.isAbsolute else {
      throw Fault(reason: "its url names no file of this machine")
    }
    var entry = ListeningEntry(path, start: start)
    if let sound = members["sound"] {
      guard let bytes = sound.string.flatMap(bytes(ofHex:)), let print = AudioFingerprint(rawValue: bytes)
      else {
        throw Fault(reason: "its sound is no fingerprint of 32 hexadecimal digits")
      }
      entry.fingerprint = print
    }
    entry.listening.rating = try number("rating", in: ListeningRecord.ratings, members)
    entry.listening.playCount = try number("playCount", in: 0...mostCounts, members)
    entry.listening.skipCount = try number("skipCount", in: 0...mostCounts, members)
    if let moment = members["lastPlayed"] {
      entry.listening.lastPlayed = moment.string.flatMap(MomentText.seconds)
      if entry.listening.lastPlayed == nil {
        throw Fault(reason: "its lastPlayed is no time as 2026-01-31T17:05:00Z")
      }
    }
    if let place = members["resume"] {
      entry.place = place.seconds
      if entry.place == nil { throw Fault(reason: "its resume is no number of seconds") }
    }
    for (key, value) in members["notes"]?.members ?? [:] {
      guard let text = value.string, !text.isEmpty else { continue }
      try check(key, text)
      entry.notes[key] = text
    }
    return entry
  }

  /// The number of this name; 0 if there is none.
  private static func number(
    _ name: String, in range: ClosedRange<Int>, _ members: [String: JSONValue]
  ) throws(Fault) -> Int {
    guard let value = members[name] else { return 0 }
    guard let number = value.integer, range.contains(number) else {
      throw Fault(reason: "its \(name) is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Throws if a note could be neither shown nor changed: no message carries a text with a NUL.
  private static func check(_ key: String, _ text: String) throws(Fault) {
    guard ListeningRecord.noteKeys.contains(key.utf8.count),
      text.utf8.count <= ListeningRecord.longestNote, !(key + text).utf8.contains(0)
    else { throw Fault(reason: "a note has a key of 1 to 256 bytes and at most 64 kB, and no NUL") }
  }

  /// The highest count that is accepted. A higher one is a mistake, and sums of such counts would overflow.
  private static let mostCounts = 1_000_000_000

  private static func playlist(
    _ name: JSONValue, _ members: [String: JSONValue]
  ) throws(Fault) -> SmartPlaylist {
    guard let name = name.string, PlaylistName.file(named: name) != nil, !name.utf8.contains(0),
      let query = members["query"]?.string
    else { throw Fault(reason: "a playlist has a name, of at most 250 bytes, and a query") }
    let limit = members["limit"]?.integer
    guard limit.map({ $0 > 0 }) ?? true else { throw Fault(reason: "its limit leaves nothing") }
    do throws(PredicateError) {
      return try SmartPlaylist(name, expression: query, sort: members["sort"]?.string ?? "", limit: limit)
    } catch { throw Fault(reason: "its query: \(error)") }
  }

  private static func bytes(ofHex text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { byte in Character(Unicode.Scalar(byte)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

extension JSONValue {
  /// The members of an object by their names; of two with one name, the later one.
  fileprivate var members: [String: JSONValue]? {
    guard case .object(let members) = self else { return nil }
    return Dictionary(members.map { ($0.name, $0.value) }) { _, later in later }
  }

  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var integer: Int? { if case .number(let number) = self { Int(number.text) } else { nil } }

  fileprivate var seconds: Duration? {
    guard case .number(let number) = self, let seconds = Double(number.text), (0...1e8).contains(seconds)
    else {
      return nil
    }
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}

/// The listener's ratings, counts, notes and place for one sound, whether or not its file is in the library at the moment.
package struct ListeningEntry: Sendable, Hashable {
  package var path: FilePath
  /// Where the part of the file begins that these ratings and counts are of; nil for the whole file.
  package var start: DiscTime?
  package var fingerprint: AudioFingerprint?
  package var listening: ListeningRecord
  /// The place where the sound resumes; nil for its beginning.
  package var place: Duration?
  package var notes: [String: String]

  package init(
    _ path: FilePath, start: DiscTime? = nil, fingerprint: AudioFingerprint? = nil,
    listening: ListeningRecord = ListeningRecord(), place: Duration? = nil, notes: [String: String] = [:]
  ) {
    (self.path, self.start, self.fingerprint, self.listening) = (path, start, fingerprint, listening)
    (self.place, self.notes) = (place, notes)
  }

  /// Which of two entries counts if they have different values for one sound.
  package enum Preference: Sendable, Hashable {
    case ours
    case theirs
  }

  /// Merges another entry for the same sound into this one, so that no value that only one of them has is lost. Returns how many ratings and notes
  /// differ, because only one of two can be kept.
  ///
  /// Of two counts the higher one is taken and not the sum, so that importing the same file twice changes nothing the second time. The resume place
  /// is taken from the entry with the later listening, even if it is nil there, because the sound may have been heard to its end since.
  package mutating func merge(_ other: ListeningEntry, preferring preference: Preference = .ours) -> Int {
    var differences = 0
    if (other.listening.lastPlayed ?? .min) > (listening.lastPlayed ?? .min) {
      place = other.place
    } else if other.listening.lastPlayed == listening.lastPlayed {
      place = preference == .ours ? place ?? other.place : other.place ?? place
    }
    listening.playCount = max(listening.playCount, other.listening.playCount)
    listening.skipCount = max(listening.skipCount, other.listening.skipCount)
    listening.lastPlayed = [listening.lastPlayed, other.listening.lastPlayed].compactMap { $0 }.max()
    if listening.rating == 0 || other.listening.rating == 0 {
      listening.rating = max(listening.rating, other.listening.rating)
    } else if listening.rating != other.listening.rating {
      differences += 1
      if preference == .theirs { listening.rating = other.listening.rating }
    }
    for (key, text) in other.notes {
      if let own = notes[key], own != text {
        differences += 1
        if preference == .ours { continue }
      }
      notes[key] = text
    }
    return differences
  }
}

/// The outcome of importing a file with ratings, counts, notes and smart playlists (`ListeningFile`).
package struct ImportReport: Sendable, Hashable {
  /// How many imported entries were matched to an item of the library by the sound, wherever its file is.
  package var bySound = 0
  /// How many imported entries were not matched by the sound, but by the path of its file.
  package var byPath = 0
  /// How many imported entries wait until their files are in the library.
  package var waiting = 0
  /// How many smart playlists were imported.
  package var playlists = 0
  /// How many imported ratings, notes and smart playlists differed from those of this library; one of each two was kept.
  package var different = 0
  /// How many lines of the imported file could not be read.
  package var unreadable = 0
  /// What is wrong with the first lines that could not be read, a sentence each.
  package var problems: [String] = []

  package init() {}

  /// How many entries were imported, each with the ratings, counts and notes of one sound.
  package var sounds: Int { bySound + byPath + waiting }
}
