// SPDX-License-Identifier: MIT

/// One line of text that consists of runs in different styles.
package struct StyledText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A piece of text in one style.
  package struct Run: Sendable, Hashable {
    package let text: String
    package let style: Style
  }

  package private(set) var runs: [Run]

  /// A text in one style. It is shown unchanged, so make text from outside printable first, or use `outside`.
  package init(_ text: String, _ style: Style = .plain) {
    runs = text.isEmpty ? [] : [Run(text: text, style: style)]
  }

  package init(stringLiteral text: String) { self.init(text) }

  /// A text from a file, a tag or another program, made safe for a terminal. `rendered` gives it the plain form where a terminal needs that.
  package static func outside(_ text: String, _ style: Style = .plain) -> StyledText {
    StyledText(TerminalText.escaped(text), style)
  }

  /// The number of columns that the text takes.
  package var width: Int { runs.reduce(0) { $0 + TerminalText.width($1.text) } }

  /// The text with the codes for the styles that the palette shows; for a terminal in its plain form.
  package func rendered(_ palette: Palette) -> String {
    var text = ""
    for run in runs {
      text += palette.apply(run.style, to: palette.isForTerminal ? PlainForm.of(run.text) : run.text)
    }
    return text
  }

  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var both = first
    both.runs += second.runs
    return both
  }

  /// Adds this many blanks.
  mutating func append(blanks count: Int) {
    if count > 0 { runs.append(Run(text: String(repeating: " ", count: count), style: .plain)) }
  }

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

/// How a piece of text is emphasized. The `Palette` decides how much of that an output shows.
package struct Style: Sendable, Hashable {
  /// The colours of the terminal's own palette. No others are used, because the user has chosen these.
  package enum Colour: UInt8, Sendable, Hashable, CaseIterable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  package let isBold: Bool
  package let isDim: Bool
  package let colour: Colour?

  package init(bold: Bool = false, dim: Bool = false, colour: Colour? = nil) {
    isBold = bold
    isDim = dim
    self.colour = colour
  }

  package static let plain = Style()
  /// For names, headings and the current row.
  package static let bold = Style(bold: true)
  /// For less important text.
  package static let dim = Style(dim: true)
}

/// The styles that an output can show.
package enum Palette: Sendable, Hashable {
  /// No styles, for a file or a pipe. A text stays exactly as it is.
  case exact
  /// No styles, for a terminal that has none.
  case plain
  /// Bold and dim, no colour.
  case monochrome
  /// Bold, dim and colours.
  case colour

  /// The palette for an output. It has styles only on a terminal, and no colour if `NO_COLOR` is set (no-color.org:
  /// to anything but an empty value).
  package init(isTerminal: Bool, environment: (String) -> String?) {
    let terminal = environment("TERM") ?? ""
    if !isTerminal {
      self = .exact
    } else if terminal.isEmpty || terminal == "dumb" {
      self = .plain
    } else if !(environment("NO_COLOR") ?? "").isEmpty {
      self = .monochrome
    } else {
      self = .colour
    }
  }

  /// Whether a terminal shows the text, and so measures how wide it is.
  var isForTerminal: Bool { self != .exact }

  /// Whether the terminal takes escape sequences, by which a text has styles and a line is rewritten.
  package var hasStyles: Bool { self == .monochrome || self == .colour }

  /// The text between the terminal's codes for a style; parts of the style that this palette lacks are left out.
  package func apply(_ style: Style, to text: String) -> String {
    guard hasStyles, style != .plain else { return text }
    var codes: [String] = []
    if style.isBold { codes.append("1") }
    if style.isDim { codes.append("2") }
    if self == .colour, let colour = style.colour { codes.append(String(colour.rawValue)) }
    guard !codes.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}

/// The line that shows the position in a track: `1:23 ━━━━━━━━╸───────── 4:56`.
package enum ProgressLine {
  // A shorter bar would be less precise than the numbers beside it.
  private static let shortestBar = 8
  private static let longestBar = 60

  /// The line for a position in a length, at most `width` columns wide. If the length isn't known or there is no room
  /// for a bar, only the times are shown.
  package static func text(position: Duration, length: Duration?, width: Int) -> StyledText {
    let position = max(.zero, position)
    guard let length, length > .zero else { return StyledText(ClockText.text(position)).truncated(to: width) }
    // The position is padded to the width of the length, so that the bar doesn't move while the track plays.
    let right = ClockText.text(length)
    let left = ClockText.text(min(position, length))
    let lead = String(repeating: " ", count: max(0, right.count - left.count)) + left
    let room = min(width - lead.count - right.count - 2, longestBar)
    guard room >= shortestBar else { return StyledText("\(left) / \(right)").truncated(to: width) }
    return StyledText(lead + " ") + bar(fraction(position, of: length), columns: room)
      + StyledText(" " + right)
  }

  /// A bar with this many columns, filled to a fraction between 0 and 1, in steps of half a column.
  package static func bar(_ fraction: Double, columns: Int) -> StyledText {
    let halves = Int((min(max(fraction, 0), 1) * Double(columns * 2)).rounded(.down))
    let filled = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
    let rest = String(repeating: "─", count: columns - (halves + 1) / 2)
    return StyledText(filled, .bold) + StyledText(rest, .dim)
  }

  private static func fraction(_ position: Duration, of length: Duration) -> Double {
    min(1, position / length)
  }
}
