// SPDX-License-Identifier: MIT

/// Which styles an output shows.
package enum Palette: Sendable, Hashable {
  /// None: a file, a pipe, a terminal that can't.
  case plain
  /// Bold and faint, no colour.
  case monochrome
  /// All.
  case colour

  /// What suits an output: styles only on a terminal, no colour where `NO_COLOR` says so (no-color.org: any value but an empty one).
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

  /// A text in a style, with the terminal's codes round it where there are any.
  package func apply(_ style: Style, to text: String) -> String {
    var codes: [String] = []
    if self != .plain, style.isBold { codes.append("1") }
    if self != .plain, style.isDim { codes.append("2") }
    if self == .colour, let colour = style.colour { codes.append(String(colour.rawValue)) }
    guard !codes.isEmpty, !text.isEmpty else { return text }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
