// SPDX-License-Identifier: MIT
import FermataTestKit

/// The agent, playing what the command line gave it. Unlike a player in its own process it lives on when it is stopped.
final class AgentPlayer: Player {
  static let name = "fermata"
  let child: Child
  let started: Duration
  private let environment: [String: String]

  init(_ files: [String], on stage: Stage) throws {
    guard let path = stage.bench.program else { throw KitError("there is no program to measure") }
    let (program, environment) = (Program(path: path), stage.environment)
    self.environment = environment
    started = Monotonic.now
    (child, _) = try BareClient.time(ofOwner: ProgramPlayer.busName, environment) {
      try Child(Program(path: path + "-agent"), ["agent"], environment: environment)
    }
    try Child.run(program, ["play"] + files, environment: environment)
  }

  func order(_ order: PlayerOrder) throws -> Duration? {
    try ProgramPlayer.order(order, at: ProgramPlayer.busName, environment)
  }
}
