// SPDX-License-Identifier: MIT

/// How a piece of text is emphasized. The `Palette` decides how much of that an output shows.
package struct Style: Sendable, Hashable {
  /// The colours of the terminal's own scheme. No others are used, because the user chose these.
  package enum Colour: UInt8, Sendable, Hashable, CaseIterable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  /// Whether it is bold.
  package let isBold: Bool
  /// Whether it is faint.
  package let isDim: Bool
  /// Its colour; nil for the default one.
  package let colour: Colour?

  /// A style.
  package init(bold: Bool = false, dim: Bool = false, colour: Colour? = nil) {
    isBold = bold
    isDim = dim
    self.colour = colour
  }

  /// Normal text.
  package static let plain = Style()
  /// For names, headings and the current row.
  package static let bold = Style(bold: true)
  /// For less important text.
  package static let dim = Style(dim: true)
}
