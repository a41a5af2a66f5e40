// SPDX-License-Identifier: MIT

/// The paths in a text that was pasted or dropped: plain, quoted, with backslashes, or as `file://`.
enum PastedPaths {
  private static let most = 10_000

  /// The paths; empty if the text is anything else. Spaces are allowed in a path that fills a whole line.
  static func paths(in text: String) -> [String] {
    // Terminals put a blank behind each path that is dropped on them.
    let lines = text.split(whereSeparator: \.isNewline).map(Self.withoutBlanks).filter { !$0.isEmpty }
    let whole = lines.map(path)
    if !lines.isEmpty, whole.allSatisfy({ $0 != nil }),
      lines.allSatisfy({ !$0.hasPrefix("'") && !$0.hasPrefix("\"") }),
      !lines.contains(where: { $0.contains("\\" as Character) }), !lines.contains(where: hasSeveral)
    {
      return Array(whole.compactMap(\.self).prefix(most))
    }
    let words = lines.flatMap { TypedLine.split($0) ?? [] }
    let paths = words.map(path)
    return paths.contains { $0 == nil } ? [] : Array(paths.compactMap(\.self).prefix(most))
  }

  private static func withoutBlanks(_ line: Substring) -> String {
    String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func hasSeveral(_ line: String) -> Bool {
    line.split(separator: " ").dropFirst().contains { $0.hasPrefix("/") || $0.hasPrefix("file://") }
  }

  private static func path(_ word: String) -> String? {
    word.hasPrefix("/") || word.hasPrefix("~/") || word.hasPrefix("file:///") ? word : nil
  }
}
