// SPDX-License-Identifier: MIT

/// How a piece of text is set off from its neighbours. What becomes of it is the `Palette`'s matter.
public struct Style: Sendable, Hashable {
  /// The colours of a terminal's own scheme. There are no others: the person chose these.
  public enum Colour: UInt8, Sendable, Hashable, CaseIterable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  /// Whether it is bold.
  public let isBold: Bool
  /// Whether it is faint.
  public let isDim: Bool
  /// Its colour; none for the usual one.
  public let colour: Colour?

  /// A style.
  public init(bold: Bool = false, dim: Bool = false, colour: Colour? = nil) {
    isBold = bold
    isDim = dim
    self.colour = colour
  }

  /// As everything else.
  public static let plain = Style()
  /// Names, headings, the row that plays.
  public static let bold = Style(bold: true)
  /// What the eye may skip.
  public static let dim = Style(dim: true)
}
