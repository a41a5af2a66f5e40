// SPDX-License-Identifier: MIT

/// How many frames a sound has, as far as that can be known without decoding it.
public enum SoundLength: Sendable, Hashable {
  /// The file says so, and its size does not contradict it.
  case exact(Int)
  /// Reckoned from the size and the bit rate; `Decoder.measure()` finds the true number.
  case estimated(Int)
  /// Nothing can be said before the sound has ended.
  case unknown

  /// The number, exact or not.
  public var frames: Int? {
    switch self {
    case .exact(let frames), .estimated(let frames): frames
    case .unknown: nil
    }
  }

  /// The number if it is exact.
  public var exactFrames: Int? {
    guard case .exact(let frames) = self else { return nil }
    return frames
  }
}
