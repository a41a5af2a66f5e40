// SPDX-License-Identifier: MIT
internal import MediaModel

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
