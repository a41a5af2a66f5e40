// SPDX-License-Identifier: MIT

/// The styles that an output can show.
package enum Palette: Sendable, Hashable {
  /// None: a file, a pipe, or a terminal without styles.
  case plain
  /// Bold and faint, no colour.
  case monochrome
  /// Bold, faint and colours.
  case colour

  /// The palette for an output. It has styles only on a terminal, and no colour if `NO_COLOR` is set (no-color.org:
  /// to anything but an empty value).
  package init(isTerminal: Bool, environment: (String) -> String?) {
    let terminal = environment("TERM") ?? ""
    if !isTerminal || terminal.isEmpty || terminal == "dumb" {
      self = .plain
    } else if !(environment("NO_COLOR") ?? "").isEmpty {
      self = .monochrome
    } else {
      self = .colour
    }
  }

  /// The text between the terminal's codes for a style, as far as this palette has it.
  package func apply(_ style: Style, to text: String) -> String {
    var codes: [String] = []
    if self != .plain, style.isBold { codes.append("1") }
    if self != .plain, style.isDim { codes.append("2") }
    if self == .colour, let colour = style.colour { codes.append(String(colour.rawValue)) }
    guard !codes.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
