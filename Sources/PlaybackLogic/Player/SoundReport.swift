// SPDX-License-Identifier: MIT

/// What the sound engine tells. Playings are known by the numbers that the player gave them.
package enum SoundReport: Sendable, Hashable {
  /// A playing was opened. Its length, if the file tells it.
  case opened(play: UInt64, length: Duration?)
  /// Its first frame is heard.
  case heard(play: UInt64)
  /// Where in it the listener was when this was said, and whether sound was moving.
  case position(play: UInt64, Duration, isMoving: Bool)
  /// Its last frame was heard, and nothing followed.
  case ended(play: UInt64)
  /// It could not be opened, or not be played on; what it had made until then is heard.
  case failed(play: UInt64, reason: String)
  /// The stream is gone, and with it what it had.
  case streamLost
}
