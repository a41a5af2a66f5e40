// SPDX-License-Identifier: MIT

/// Breaks text into lines between words.
package enum Wrap {
  /// Lines of at most `width` columns; all but the first are indented by `hanging`. A word that is too long gets a
  /// line of its own and isn't broken.
  package static func lines(_ words: [String], width: Int, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
      let longer = line.isEmpty ? word : line + " " + word
      if line.isEmpty || TerminalText.width(longer) <= width {
        line = longer
      } else {
        lines.append(line)
        line = String(repeating: " ", count: hanging) + word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The words of prose.
  package static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// The words of a synopsis; text in brackets counts as one word.
  static func synopsisWords(_ text: String) -> [String] {
    var words: [String] = []
    var depth = 0
    for part in Self.words(text) {
      if depth > 0 { words[words.count - 1] += " " + part } else { words.append(part) }
      depth += part.count { $0 == "[" } - part.count { $0 == "]" }
    }
    return words
  }
}
