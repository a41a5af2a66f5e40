// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic

// The machine's sleep.
extension PlayerService {
  /// The machine is about to sleep. Returns when the server has silenced our stream, or is not there.
  func fallAsleep() async {
    tell(.session(.preparesForSleep))
    // The server answers in order, so with this answer it has carried out the cork, too.
    await engine.refreshPosition()
  }

  /// The machine woke up.
  func wakeUp() {
    inOneTurn {
      tell(.session(.wokeUp))
      tell(RouteEvent.wokeUp)
    }
  }
}
