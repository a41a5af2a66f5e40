// SPDX-License-Identifier: MIT

/// A line of a CUE sheet: a command and what follows it, in quotes where it has spaces.
struct CueLine {
  /// The command in capitals.
  let command: String
  /// The first thing after it, without its quotes, as bytes: it may be a path.
  let argumentBytes: ArraySlice<UInt8>
  private let rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) {
    let line = line.drop(while: PlaylistText.isBlank)
    let word = line.prefix { !PlaylistText.isBlank($0) }
    command = PlaylistText.decode(word).uppercased()
    rest = line[word.endIndex...].drop(while: PlaylistText.isBlank)
    argumentBytes = Self.argument(rest, isFile: command == "FILE")
  }

  /// The same as text; nil where there is none.
  var argument: String? { PlaylistText.words(argumentBytes) }

  /// All that follows the command, at its spaces.
  var words: [Substring] { PlaylistText.decode(rest).split(whereSeparator: \.isWhitespace) }

  /// Without quotes the text is the rest of the line, but for a file's type at its end.
  private static func argument(_ rest: ArraySlice<UInt8>, isFile: Bool) -> ArraySlice<UInt8> {
    if rest.first == UInt8(ascii: "\"") {
      let inside = rest.dropFirst()
      return inside[..<(inside.lastIndex(of: UInt8(ascii: "\"")) ?? inside.endIndex)]
    }
    guard isFile, let space = rest.lastIndex(where: PlaylistText.isBlank) else { return rest }
    return rest[..<space]
  }
}
