// SPDX-License-Identifier: MIT
package import MediaModel

/// Reads playlist files of all formats. It does no input or output: the caller passes the bytes. The memory and time
/// that it uses are at most a small multiple of the file's size, whatever the file contains.
package enum PlaylistReader {
  /// The largest file that is read, in bytes.
  package static let largestFile = 32 << 20
  /// The most entries that are kept. Further ones are left out, and a problem says so.
  package static let mostEntries = 200_000

  /// Reads a playlist. Relative paths in it start at the folder of the file. `host` is this machine's name, which a URI of a file may have. Traps if the
  /// file's path is relative. `legacy` decodes texts that are not UTF-8; without it they are taken for Windows-1252.
  /// - Throws: if the file is not a playlist or is too large. Invalid lines are reported as problems instead.
  package static func read(
    _ bytes: [UInt8], of file: FilePath, host: String? = nil, legacy: ((ArraySlice<UInt8>) -> String)? = nil
  ) throws(PlaylistError) -> PlaylistReading {
    precondition(file.isAbsolute, "a playlist's path must be absolute: \(file)")
    guard bytes.count <= largestFile else { throw PlaylistError(file.text, .tooLarge) }
    guard let format = PlaylistFormat(bytes: bytes, name: file) else {
      throw PlaylistError(file.text, .unrecognized)
    }
    let text = PlaylistText.normalized(bytes)
    let reading = read(text, format, file, host)
    guard let legacy, format != .xspf, String(validating: text, as: UTF8.self) == nil else { return reading }
    var decoded = read(Array(legacy(text[...]).utf8), format, file, host)
    decoded.noteBytes(of: reading)
    return decoded
  }

  private static func read(
    _ text: [UInt8], _ format: PlaylistFormat, _ file: FilePath, _ host: String?
  ) -> PlaylistReading {
    var draft = PlaylistDraft(folder: file.parent ?? file, host: host)
    switch format {
    case .m3u, .m3u8: M3UReader.read(text, into: &draft)
    case .pls: PLSReader.read(text, into: &draft)
    case .xspf: XSPFReader.read(text, into: &draft)
    case .cue: CueReader.read(text, into: &draft)
    }
    return PlaylistReading(format: format, playlist: draft.playlist, problems: draft.problems)
  }
}

/// The result of reading a playlist file.
package struct PlaylistReading: Sendable, Equatable {
  package let format: PlaylistFormat
  package private(set) var playlist: Playlist
  /// The lines that were left out, at most the first hundred.
  package let problems: [PlaylistProblem]

  /// Has each entry keep the path that the other reading has, which took the bytes of names as they are: the files' own names may be in the same
  /// character set as the list.
  fileprivate mutating func noteBytes(of other: PlaylistReading) {
    guard playlist.entries.count == other.playlist.entries.count else { return }
    for (index, entry) in other.playlist.entries.enumerated() {
      if case .file(let path) = entry.location { playlist.entries[index].asBytes = path }
    }
  }
}

/// A line of a playlist that was not understood. The other lines are still read.
package struct PlaylistProblem: Sendable, Hashable, CustomStringConvertible {
  package let line: Int
  /// What is wrong with the line and what to do.
  package let reason: String

  package var description: String { "line \(line): \(reason)" }
}

/// The entries and problems that have been read from a playlist so far.
struct PlaylistDraft {
  private static let mostProblems = 100

  /// The folder at which the playlist's relative paths start.
  let folder: FilePath
  /// This machine's name; nil if it is not known.
  let host: String?
  var playlist = Playlist()
  private(set) var problems: [PlaylistProblem] = []

  init(folder: FilePath, host: String?) { (self.folder, self.host) = (folder, host) }

  mutating func problem(_ line: Int, _ reason: String) {
    if problems.count < Self.mostProblems { problems.append(PlaylistProblem(line: line, reason: reason)) }
  }

  mutating func add(_ entry: PlaylistEntry, line: Int) {
    guard hasRoom(after: playlist.entries.count, line: line) else { return }
    playlist.entries.append(entry)
    playlist.entries[playlist.entries.count - 1].folder = folder.tidied
  }

  /// Whether one more entry is read after so many. If not, notes a problem. For formats whose entries are collected before they are added, too.
  mutating func hasRoom(after count: Int, line: Int) -> Bool {
    if count < PlaylistReader.mostEntries { return true }
    if problems.last?.reason != Self.tooMany { problem(line, Self.tooMany) }
    return false
  }

  /// Makes the entry for a path or URI as it is written, and does not add it. If it is not valid, notes a problem and
  /// returns nil.
  mutating func entry(_ written: some Collection<UInt8>, line: Int) -> PlaylistEntry? {
    guard !written.isEmpty, !written.contains(0) else {
      problem(line, "no path; write one")
      return nil
    }
    do {
      return PlaylistEntry(
        location: try MediaLocation(written, in: folder, host: host), written: Array(written))
    } catch {
      problem(line, error.description)
      return nil
    }
  }

  private static let tooMany = "more than \(PlaylistReader.mostEntries) entries; the rest is left out"
}

/// Converts the bytes of playlists to text and splits them into lines.
enum PlaylistText {
  /// The most bytes of a line. A path of the greatest length fits even if every byte is percent-encoded.
  static let longestLine = 16_384

  /// The bytes without a byte order mark, converted to UTF-8 if the mark says UTF-16.
  static func normalized(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xff, 0xfe]) { return fromUTF16(bytes.dropFirst(2)) { $1 << 8 | $0 } }
    if bytes.starts(with: [0xfe, 0xff]) { return fromUTF16(bytes.dropFirst(2)) { $0 << 8 | $1 } }
    return bytes
  }

  /// The bytes as text without white space around it. If they are not valid UTF-8, they are taken for Windows-1252.
  static func decode(_ bytes: some Collection<UInt8>) -> String {
    TagText.trimmed(String(validating: bytes, as: UTF8.self) ?? TagText.windows1252(bytes))
  }

  /// A title or a name: the text that `decode` returns, with composed letters, as those in tags; nil if it is empty.
  static func words(_ bytes: some Collection<UInt8>) -> String? {
    let text = TagText.composed(decode(bytes))
    return text.isEmpty ? nil : text
  }

  /// The bytes without blanks at both ends; nil if there are none.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...].drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest.count == bytes.count || rest.isEmpty ? nil : Array(rest)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// Calls `body` for each line with its number, counted from 1. Lines end with LF, CRLF or CR. Empty lines are
  /// skipped; so are lines that are too long, with a problem noted.
  static func eachLine(
    _ bytes: [UInt8], _ draft: inout PlaylistDraft,
    _ body: (Int, ArraySlice<UInt8>, inout PlaylistDraft) -> Void
  ) {
    var (number, start, previous) = (1, 0, UInt8(0))
    func end(at index: Int) {
      let line = bytes[start..<index]
      if line.count > longestLine {
        draft.problem(number, "a line of \(line.count) bytes; \(longestLine) are read")
      } else if !line.allSatisfy(isBlank) {
        body(number, line, &draft)
      }
    }
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0a && previous == 0x0d {
        start = index + 1
      } else if byte == 0x0a || byte == 0x0d {
        end(at: index)
        start = index + 1
        number += 1
      }
      previous = byte
    }
    end(at: bytes.count)
  }

  private static func fromUTF16(
    _ bytes: ArraySlice<UInt8>, _ join: (UInt16, UInt16) -> UInt16
  ) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      join(UInt16(bytes[index]), UInt16(bytes[index + 1]))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
