// SPDX-License-Identifier: MIT
import FermataTestKit

/// The agent with nothing to do, while this object lives: the program's, or else the modules alone.
final class Agent {
  let name: String
  let busName: String
  let child: Child
  /// From its start until its name was on the bus, by when it is connected to the sound server as well.
  let connecting: Duration

  /// Starts it, and returns when it is connected.
  init(on stage: Stage) throws {
    let program = stage.bench.soundProgram
    let busName = program == nil ? AgentRole.busName : ProgramPlayer.busName
    let words = [program == nil ? Role.agent.word : "agent"]
    let ((child, start), ready) = try BareClient.time(ofOwner: busName, stage.environment) {
      let start = Monotonic.now
      return (
        try Child(program.map { Program(path: $0) } ?? Bench.own, words, environment: stage.environment),
        start
      )
    }
    self.busName = busName
    self.child = child
    connecting = ready - start
    name = program == nil ? "the modules alone, in a child" : "fermata agent"
  }
}
