// SPDX-License-Identifier: MIT

/// One line of text in runs of different styles.
package struct StyledText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A stretch of one style.
  package struct Run: Sendable, Hashable {
    /// The text.
    package let text: String
    /// How it is set off.
    package let style: Style
  }

  /// The stretches in order.
  package private(set) var runs: [Run]

  /// A text in one style. It is shown as it is: make text from outside printable first, or use `outside`.
  package init(_ text: String, _ style: Style = .plain) {
    runs = text.isEmpty ? [] : [Run(text: text, style: style)]
  }

  /// A text as everything else.
  package init(stringLiteral text: String) { self.init(text) }

  /// A text from a file, a tag or another program, made safe.
  package static func outside(_ text: String, _ style: Style = .plain) -> StyledText {
    StyledText(TerminalText.printable(text), style)
  }

  /// The columns that it takes.
  package var width: Int { runs.reduce(0) { $0 + TerminalText.width($1.text) } }

  /// The text as an output with these styles wants it.
  package func rendered(_ palette: Palette) -> String {
    runs.map { palette.apply($0.style, to: $0.text) }.joined()
  }

  /// One behind the other.
  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var both = first
    both.runs += second.runs
    return both
  }

  /// Puts another one behind it.
  package static func += (first: inout StyledText, second: StyledText) { first.runs += second.runs }

  /// The text if it fits into so many columns, else its beginning and an ellipsis in the style of what it cuts.
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
      // What follows doesn't fit, so the ellipsis must: a run that fills the rest exactly is cut as well.
      let cut = width == left ? run.text + "…" : run.text
      kept += StyledText(TerminalText.truncated(cut, to: left), run.style)
      break
    }
    return kept
  }
}
