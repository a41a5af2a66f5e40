// SPDX-License-Identifier: MIT
package import MediaModel

/// The kinds of playlist file. The raw value is the extension of the file's name.
package enum PlaylistFormat: String, Sendable, Hashable, CaseIterable {
  /// A path or URI a line; text in Latin-1 where it isn't UTF-8.
  case m3u
  /// The same in UTF-8. Both are read and written alike.
  case m3u8
  /// Numbered keys as in an INI file.
  case pls
  /// XML.
  case xspf
  /// The tracks of a disc and where they begin.
  case cue

  /// The format that a file's name promises.
  package init?(name: FilePath) { self.init(rawValue: name.pathExtension) }

  /// The format of a file: by what it holds, or else by its name.
  package init?(bytes: [UInt8], name: FilePath) {
    let head = PlaylistText.decode(PlaylistText.normalized(Array(bytes.prefix(4_096)))[...])
    guard let format = Self(head: head) ?? Self(name: name) else {
      return nil
    }
    self = format
  }

  private init?(head: String) {
    let lines = head.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace).lowercased() }
      .filter { !$0.isEmpty }
    guard let first = lines.first else { return nil }
    if first.hasPrefix("#extm3u") {
      self = .m3u8
    } else if first.hasPrefix("[playlist]") {
      self = .pls
    } else if first.hasPrefix("<") && head.split(whereSeparator: { !$0.isLetter }).contains("xspf") {
      self = .xspf
    } else if Self.isCue(lines) {
      self = .cue
    } else {
      return nil
    }
  }

  private static func isCue(_ lines: [String]) -> Bool {
    func begins(_ line: String, _ words: [String]) -> Bool { words.contains { line.hasPrefix($0 + " ") } }
    return begins(lines[0], ["rem", "file", "title", "performer", "catalog", "cdtextfile", "songwriter"])
      && lines.contains { begins($0, ["file"]) && $0.contains("\"") || begins($0, ["track"]) }
  }
}
