// SPDX-License-Identifier: MIT
import CommandModel
import PlaybackLogic

/// The key that is held to go through the track, on a terminal that tells when a key is let go.
///
/// The agent decides what a press means by how long it lasts: a short one skips when it ends, a longer one seeks meanwhile. So this value
/// only tells when the key goes down and when it is let go.
struct SeekKey: Sendable {
  /// A held seek ends by itself if nobody renews it, in case its release is never told. This is soon enough.
  static let renewal = Duration.seconds(3)

  private var held: (code: Int, direction: SeekDirection)?
  private var told = Duration.zero

  /// Takes a key that was pressed, and that skips if it is only tapped.
  mutating func take(_ key: HeldKey, _ direction: SeekDirection, at time: Duration) -> [PlayerOrder] {
    (held, told) = ((key.code, direction), time)
    return [.beginSeek(direction)]
  }

  /// Takes any key's repetition or release. Nil if it is not the one that is held.
  mutating func follow(_ key: HeldKey, at time: Duration) -> [PlayerOrder]? {
    guard let held, held.code == key.code, key.phase != .pressed else { return nil }
    if key.phase == .released { return end() }
    guard time >= told + Self.renewal else { return [] }
    told = time
    return [.beginSeek(held.direction)]
  }

  /// Ends the seek because the release may never be told: the window has lost the keyboard, or the screen is left.
  mutating func end() -> [PlayerOrder] {
    guard held != nil else { return [] }
    held = nil
    return [.endSeek]
  }

  /// The agent is gone, and its seek with it.
  mutating func forget() { held = nil }
}
