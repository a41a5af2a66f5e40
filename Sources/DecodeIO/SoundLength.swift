// SPDX-License-Identifier: MIT

/// How many frames a sound has, as far as that can be known without decoding it.
package enum SoundLength: Sendable, Hashable {
  /// The file says so, and its size does not contradict it.
  case exact(Int)
  /// Estimated from the size and the bit rate; `Decoder.measure()` finds the true number.
  case estimated(Int)
  /// Not known before the sound has been decoded to its end.
  case unknown

  /// The number, exact or not.
  package var frames: Int? {
    switch self {
    case .exact(let frames), .estimated(let frames): frames
    case .unknown: nil
    }
  }

  /// The length of a part of the sound. The part ends with the sound at the latest.
  func part(_ range: Range<Int>) -> SoundLength {
    switch self {
    case .exact(let frames): .exact(range.clamped(to: 0..<max(0, frames)).count)
    // A part that reaches past the estimated end is an estimate too. One that ends before it is as long as its range
    // says.
    case .estimated(let frames) where range.upperBound > frames:
      .estimated(range.clamped(to: 0..<max(0, frames)).count)
    case .estimated: .exact(range.count)
    case .unknown: .unknown
    }
  }

  /// The number if it is exact.
  package var exactFrames: Int? {
    guard case .exact(let frames) = self else { return nil }
    return frames
  }
}
