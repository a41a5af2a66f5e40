// SPDX-License-Identifier: MIT

/// The words of an example: enough of a shell's grammar for what examples use.
enum ShellWords {
  /// What `fermata` is given somewhere in a line, up to a pipe or a bracket.
  static func fermata(in line: String) -> [String]? {
    let words = words(of: line)
    guard let start = words.firstIndex(where: { $0 == "fermata" || $0 == "<(fermata" }) else { return nil }
    let rest = words[(start + 1)...].prefix { $0 != "|" }
    return rest.map { words[start] == "fermata" || !$0.hasSuffix(")") ? $0 : String($0.dropLast()) }
  }

  private static func words(of line: String) -> [String] {
    var words = [""]
    var quoted = false
    var letters = line[...]
    while let letter = letters.popFirst() {
      switch letter {
      case "'": quoted.toggle()
      case "\\" where !quoted: words[words.count - 1].append(letters.popFirst() ?? "\\")
      case " " where !quoted: words.append("")
      default: words[words.count - 1].append(letter)
      }
    }
    return words
  }
}
