// SPDX-License-Identifier: MIT
import CommandModel

/// Where to seek to.
package enum SeekTarget: Sendable, Hashable {
  /// To a place in the track.
  case to(Duration)
  /// So much further, or back when negative.
  case by(Duration)

  /// Reads `[+|-]SECONDS` or `[+|-][H:]MM:SS[.mmm]`; none for anything else.
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
