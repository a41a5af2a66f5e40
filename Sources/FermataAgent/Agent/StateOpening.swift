// SPDX-License-Identifier: MIT
import AgentLoop
import StoreIO

/// The outcome of locking and opening the state folder at the start: it decides whether this process becomes an agent or ends.
@AgentLoop
enum StateOpening {
  /// The agent can start. The keeper has the stored state, or no store where the folder cannot be used.
  case open(StateKeeper)
  /// The process cannot or need not run: it ends with this exit status.
  case over(Int32)

  /// How long to wait for a locked folder: a little more than the 5 s in which an agent that is ending must be done.
  private static let patience = Duration.seconds(6)
  private static let pause = Duration.milliseconds(50)

  /// Locks and opens the state folder. With `unlessRunning`, a folder that another agent has locked is tried again for up to
  /// `patience`. If an agent is found on the bus meanwhile, the outcome is `over(0)`; if the other agent releases the folder, this
  /// one starts. In every other case the error is logged and the status is 1.
  static func take(_ log: Log, unlessRunning: Bool) async -> StateOpening {
    let deadline = AgentLoop.now + patience
    while true {
      do throws(StoreError) {
        return .open(try await StateKeeper.open(Surroundings.stateFolder, log))
      } catch {
        guard unlessRunning else { return refused(log, error) }
        if await BusService.isAgentThere() == true {
          log(.info, "an agent runs already: this one is not needed")
          return .over(0)
        }
        guard AgentLoop.now < deadline else { return refused(log, error) }
      }
      await rest()
    }
  }

  private static func refused(_ log: Log, _ error: StoreError) -> StateOpening {
    log(.error, "\(error)")
    return .over(1)
  }

  private static func rest() async {
    await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
      AgentLoop.after(pause) { done.resume() }
    }
  }
}
