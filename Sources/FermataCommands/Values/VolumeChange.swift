// SPDX-License-Identifier: MIT
import CommandModel

/// What to do with the volume, in percent.
package enum VolumeChange: Sendable, Hashable {
  /// Set it, from 0 to 100.
  case to(Int)
  /// Raise it by this much, or lower it if negative.
  case by(Int)

  /// The largest volume, and the largest change.
  package static let limit = 100

  /// Parses `N%`, `+N%` or `-N%`, with or without the percent sign; nil for anything else.
  package init?(_ text: String) {
    let signed = SignedText(text)
    let digits = signed.magnitude.hasSuffix("%") ? signed.magnitude.dropLast() : signed.magnitude[...]
    guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let percent = Int(digits), percent <= Self.limit
    else { return nil }
    self =
      switch signed {
      case .absolute: .to(percent)
      case .more: .by(percent)
      case .less: .by(-percent)
      }
  }
}
