// SPDX-License-Identifier: MIT
import CommandModel
import PlaybackLogic

/// The key that is held to seek in the track, on a terminal that reports when a key is let go.
///
/// The agent judges a press by its length: a short one goes to another track when it ends, a longer one seeks while it lasts. So this value only
/// reports when the key goes down and when it is let go.
struct SeekKey: Sendable {
  /// How often a held seek is renewed. The agent ends it by itself if nobody renews it, because the report of the key's release may be lost.
  static let renewal = Duration.seconds(3)

  private var held: (code: Int, direction: SeekDirection)?
  private var told = Duration.zero

  /// Call when a seek key goes down. If it is let go at once, the agent goes to the next or previous track instead.
  mutating func take(_ key: HeldKey, _ direction: SeekDirection, at time: Duration) -> [PlayerOrder] {
    (held, told) = ((key.code, direction), time)
    return [.holdSeek(direction)]
  }

  /// Call for every repetition or release of a key. Returns nil if it is not the key that is held.
  mutating func follow(_ key: HeldKey, at time: Duration) -> [PlayerOrder]? {
    guard let held, held.code == key.code, key.phase != .pressed else { return nil }
    if key.phase == .released { return end() }
    guard time >= told + Self.renewal else { return [] }
    told = time
    return [.holdSeek(held.direction)]
  }

  /// Ends the seek because the release may never be told: the window has lost the keyboard, or the screen is left.
  mutating func end() -> [PlayerOrder] {
    guard held != nil else { return [] }
    held = nil
    return [.endSeek]
  }

  /// Call when the agent is gone; the seek is over then.
  mutating func forget() { held = nil }
}
