// SPDX-License-Identifier: MIT
import AgentLoop
import StoreIO

/// What came of taking the state folder, which decides whether there is anything for this agent to do.
@AgentLoop
enum StateOpening {
  /// The agent can begin, with what was kept, or without a store where there is no place for one.
  case open(StateKeeper)
  /// It cannot, or need not: this is the status to end with.
  case over(Int32)

  /// As long as an agent that ends may need for it, and a little more.
  private static let patience = Duration.seconds(6)
  private static let pause = Duration.milliseconds(50)

  /// Takes the folder. With `unlessRunning` one that is held is no error where its holder is on the bus, or comes there; and one whose
  /// holder is about to end is waited for.
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
