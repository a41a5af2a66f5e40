// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic

// The machine's sleep.
extension PlayerService {
  /// The machine is about to sleep. Returns when the server has silenced our stream, or is not there.
  func fallAsleep() async {
    tell(.session(.preparesForSleep))
    // The server answers in order: with this answer it has taken the cork.
    await engine.refreshPosition()
  }

  /// It woke up.
  func wakeUp() {
    inOneTurn {
      tell(.session(.wokeUp))
      tell(RouteEvent.wokeUp)
    }
  }
}
