// SPDX-License-Identifier: MIT

/// A line of a CUE sheet: a command and its argument, which is in quotes if it contains spaces.
struct CueLine {
  /// The command, in capitals.
  let command: String
  /// The argument without its quotes, as bytes because it may be a path.
  let argumentBytes: ArraySlice<UInt8>
  private let rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) {
    let line = line.drop(while: PlaylistText.isBlank)
    let word = line.prefix { !PlaylistText.isBlank($0) }
    command = PlaylistText.decode(word).uppercased()
    rest = line[word.endIndex...].drop(while: PlaylistText.isBlank)
    argumentBytes = Self.argument(rest, isFile: command == "FILE")
  }

  /// The argument as text; nil if there is none.
  var argument: String? { PlaylistText.words(argumentBytes) }

  /// Everything after the command, split at spaces.
  var words: [Substring] { PlaylistText.decode(rest).split(whereSeparator: \.isWhitespace) }

  /// Without quotes, the argument is the rest of the line; for FILE, without the file type at its end.
  private static func argument(_ rest: ArraySlice<UInt8>, isFile: Bool) -> ArraySlice<UInt8> {
    if rest.first == UInt8(ascii: "\"") {
      let inside = rest.dropFirst()
      return inside[..<(inside.lastIndex(of: UInt8(ascii: "\"")) ?? inside.endIndex)]
    }
    guard isFile, let space = rest.lastIndex(where: PlaylistText.isBlank) else { return rest }
    return rest[..<space]
  }
}
