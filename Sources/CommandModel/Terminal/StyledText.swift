// SPDX-License-Identifier: MIT

/// One line of text that consists of runs in different styles.
package struct StyledText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A piece of text in one style.
  package struct Run: Sendable, Hashable {
    /// The text.
    package let text: String
    /// Its style.
    package let style: Style
  }

  /// The runs, in order.
  package private(set) var runs: [Run]

  /// A text in one style. It is shown unchanged, so make text from outside printable first, or use `outside`.
  package init(_ text: String, _ style: Style = .plain) {
    runs = text.isEmpty ? [] : [Run(text: text, style: style)]
  }

  /// A text in normal style.
  package init(stringLiteral text: String) { self.init(text) }

  /// A text from a file, a tag or another program, made safe for a terminal.
  package static func outside(_ text: String, _ style: Style = .plain) -> StyledText {
    StyledText(TerminalText.printable(text), style)
  }

  /// The number of columns that it takes.
  package var width: Int { runs.reduce(0) { $0 + TerminalText.width($1.text) } }

  /// The text with the codes for the styles that the palette shows.
  package func rendered(_ palette: Palette) -> String {
    runs.map { palette.apply($0.style, to: $0.text) }.joined()
  }

  /// Both texts, one after the other.
  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var both = first
    both.runs += second.runs
    return both
  }

  /// Appends another text.
  package static func += (first: inout StyledText, second: StyledText) { first.runs += second.runs }

  /// The text if it fits into this many columns; otherwise its beginning and an ellipsis in the style of the run that
  /// is cut.
  package func truncated(to columns: Int) -> StyledText {
    guard width > columns else { return self }
    var kept = StyledText("")
    var left = columns
    for (index, run) in runs.enumerated() {
      let width = TerminalText.width(run.text)
      let isLast = index == runs.count - 1
      if width < left || (width == left && isLast) {
        kept.runs.append(run)
        left -= width
        continue
      }
      // The text after this run doesn't fit, so an ellipsis is needed. A run that fills the remaining columns exactly
      // is cut to make room for it.
      let cut = width == left ? run.text + "…" : run.text
      kept += StyledText(TerminalText.truncated(cut, to: left), run.style)
      break
    }
    return kept
  }
}
