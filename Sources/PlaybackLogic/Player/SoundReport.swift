// SPDX-License-Identifier: MIT

/// What the sound engine reports. A playing is named by the number that the player gave it (`Playing.play`).
package enum SoundReport: Sendable, Hashable {
  /// A playing was opened. `length` is its length, or nil if the file does not tell it.
  case opened(play: UInt64, length: Duration?)
  /// The first frame of a playing is heard.
  case heard(play: UInt64)
  /// The listener's place in a playing at the time of the report, and whether sound was moving.
  case position(play: UInt64, Duration, isMoving: Bool)
  /// The last frame of a playing was heard, and nothing followed it.
  case ended(play: UInt64)
  /// A playing could not be opened or decoded further. What was decoded until then is still heard.
  case failed(play: UInt64, reason: String)
  /// The output stream is gone, and so is everything that was loaded.
  case streamLost
}
