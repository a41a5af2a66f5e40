// SPDX-License-Identifier: MIT

/// How a piece of text is set off from its neighbours. What becomes of it is the `Palette`'s matter.
package struct Style: Sendable, Hashable {
  /// The colours of a terminal's own scheme. There are no others: the person chose these.
  package enum Colour: UInt8, Sendable, Hashable, CaseIterable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  /// Whether it is bold.
  package let isBold: Bool
  /// Whether it is faint.
  package let isDim: Bool
  /// Its colour; none for the usual one.
  package let colour: Colour?

  /// A style.
  package init(bold: Bool = false, dim: Bool = false, colour: Colour? = nil) {
    isBold = bold
    isDim = dim
    self.colour = colour
  }

  /// As everything else.
  package static let plain = Style()
  /// Names, headings, the row that plays.
  package static let bold = Style(bold: true)
  /// What the eye may skip.
  package static let dim = Style(dim: true)
}
