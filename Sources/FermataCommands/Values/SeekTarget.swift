// SPDX-License-Identifier: MIT
import CommandModel

/// Where to seek to.
package enum SeekTarget: Sendable, Hashable {
  /// To a place in the track.
  case to(Duration)
  /// Forward by this much, or back if negative.
  case by(Duration)

  /// Parses `[+|-]SECONDS` or `[+|-][H:]MM:SS[.mmm]`; nil for anything else.
  package init?(_ text: String) {
    let signed = SignedText(text)
    guard let time = ClockText.parse(signed.magnitude) else { return nil }
    self =
      switch signed {
      case .absolute: .to(time)
      case .more: .by(time)
      case .less: .by(.zero - time)
      }
  }
}
