// SPDX-License-Identifier: MIT
import FermataTestKit

/// The modules without the program: the sound engine in a child.
final class EnginePlayer: Player {
  static let name = "engine"
  let child: Child
  let started: Duration

  init(_ files: [String], on stage: Stage) throws {
    started = Monotonic.now
    child = try Child(
      Bench.own, [Role.player.word] + files, environment: stage.environment, isInteractive: true)
  }

  func order(_ order: PlayerOrder) throws -> Duration? {
    let time = Monotonic.now
    _ = try child.ask(order.rawValue)
    return time
  }
}
