// SPDX-License-Identifier: MIT

/// What the user wants to hear, as anybody would say it: the agent is held against it.
struct WishModel {
  /// The user wants music.
  private(set) var isWanted = false
  private(set) var isStopped = true
  private(set) var calls = 0
  /// The user knows that a call is what keeps the music silent.
  private var isKnown = false
  /// It was the loss of a device that ended the music, and nobody has ordered anything since.
  private(set) var isLost = false
  /// The user plays all the same.
  private(set) var isOverruled = false

  /// A call keeps the music silent, or would.
  var isInterrupted: Bool { calls > 0 && !isOverruled }
  /// Music is to be heard.
  var sounds: Bool { isWanted && !isInterrupted }

  /// What our own interface is to say.
  var state: String {
    if isStopped { return "stopped" }
    return isWanted ? isInterrupted ? "interrupted" : "playing" : "paused"
  }
  /// What MPRIS is to say.
  var status: String { isStopped ? "Stopped" : sounds ? "Playing" : "Paused" }

  mutating func play() {
    isStopped = false
    isWanted = true
    isLost = false
    guard isInterrupted else { return }
    if isKnown { isOverruled = true } else { isKnown = true }
  }

  mutating func pause() {
    isWanted = false
    isLost = false
  }

  mutating func stop() {
    isWanted = false
    isStopped = true
    isLost = false
  }

  /// The sink that played is gone.
  mutating func lose() {
    if isWanted { isLost = true }
    isWanted = false
  }

  mutating func callBegins() {
    if calls == 0 { isKnown = isWanted }
    calls += 1
  }

  mutating func callEnds() {
    calls -= 1
    if calls == 0 { isOverruled = false }
  }
}
