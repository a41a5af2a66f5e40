// SPDX-License-Identifier: MIT
internal import MediaModel

/// Reads PLS: `File1=`, `Title1=`, `Length1=` and so on. Entries come in the order of their numbers, not of the
/// lines.
enum PLSReader {
  private struct Row {
    var file: (line: Int, value: ArraySlice<UInt8>)?
    var title: String?
    var duration: Duration?
  }

  static func read(_ bytes: [UInt8], into draft: inout PlaylistDraft) {
    var rows: [Int: Row] = [:]
    var isPlaylist = true
    PlaylistText.eachLine(bytes, &draft) { number, line, draft in
      let line = line.drop(while: PlaylistText.isBlank)
      if line.first == UInt8(ascii: "[") {
        isPlaylist = PlaylistText.decode(line).lowercased().hasPrefix("[playlist]")
      } else if isPlaylist && line.first != UInt8(ascii: ";") {
        read(line, number, &rows, &draft)
      }
    }
    for (_, row) in rows.sorted(by: { $0.key < $1.key }) {
      guard let file = row.file, var entry = draft.entry(file.value, line: file.line) else { continue }
      (entry.title, entry.duration) = (row.title, row.duration)
      draft.add(entry, line: file.line)
    }
  }

  private static func read(
    _ line: ArraySlice<UInt8>, _ number: Int, _ rows: inout [Int: Row], _ draft: inout PlaylistDraft
  ) {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
      draft.problem(number, "neither a key with a value nor a section; write Key=value")
      return
    }
    let key = PlaylistText.decode(line[..<equals]).lowercased()
    let value = line[(equals + 1)...].drop(while: PlaylistText.isBlank)
    let name = key.prefix { !("0"..."9").contains($0) }
    guard ["file", "title", "length"].contains(name) else { return }
    guard let row = Int(key.dropFirst(name.count)), row >= 0 else {
      draft.problem(number, "\(key) has no number of an entry; write \(name)1")
      return
    }
    guard rows[row] != nil || draft.hasRoom(after: rows.count, line: number) else { return }
    switch name {
    case "file": rows[row, default: Row()].file = (number, value)
    case "title": rows[row, default: Row()].title = PlaylistText.words(value)
    default:
      rows[row, default: Row()].duration = Decimals.number(PlaylistText.decode(value))
        .flatMap { Decimals.duration(seconds: $0) }
    }
  }
}

/// Writes PLS. The format has titles and lengths in whole seconds, but no parts of files.
enum PLSWriter {
  static func write(_ playlist: Playlist, _ reference: Reference) throws(PlaylistError) -> [UInt8] {
    var out = Array("[playlist]\n".utf8)
    for (index, entry) in playlist.entries.enumerated() {
      guard entry.part == nil else { throw PlaylistError(entry.location.text, .partsUnsupported(.pls)) }
      let number = index + 1
      out += Array("File\(number)=".utf8) + (try reference.line(entry.location)) + [0x0a]
      if let title = Reference.words(entry.title) { out += "Title\(number)=\(title)\n".utf8 }
      let seconds = entry.duration.map { (Decimals.milliseconds($0) + 500) / 1_000 } ?? -1
      out += "Length\(number)=\(seconds)\n".utf8
    }
    return out + Array("NumberOfEntries=\(playlist.entries.count)\nVersion=2\n".utf8)
  }
}

extension MediaLocation {
  /// The path or URI for a person to read.
  var text: String {
    switch self {
    case .file(let path): path.text
    case .uri(let uri): uri
    }
  }
}
