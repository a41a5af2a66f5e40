// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Testing

@testable import FermataCommands

/// Runs the program against an agent that only remembers.
enum CommandStage {
  struct Run {
    let status: FermataTestKit.ExitStatus?
    let output: String
    let errors: String
  }

  static func result(of words: [String], _ environment: [String: String]) throws -> Run {
    let child = try Child(.beside("fermata"), words, environment: environment)
    let status = child.exit(until: .patient)
    return Run(status: status, output: child.standardOutput, errors: child.standardError)
  }

  static func makeAgent(_ prepare: @escaping @AgentLoop (FakeAgent) -> Void = { _ in }) async throws
    -> FakeAgent
  {
    try await onLoop {
      let agent = try await FakeAgent()
      prepare(agent)
      return agent
    }
  }

  /// What the agent was asked for by a command line that succeeded, and what that wrote.
  static func asked(
    _ words: [String], _ prepare: @escaping @AgentLoop (FakeAgent) -> Void = { _ in }
  ) async throws -> (calls: [FakeAgent.AgentCallRecord], output: String) {
    let agent = try await makeAgent(prepare)
    let run = try result(of: words, agent.bus.environment)
    #expect(run.status == .exited(0) && run.errors.isEmpty, "\(words): \(run)")
    return (try await onLoop { agent.calls }, run.output)
  }

  /// Gives the agent a queue of which the second entry plays.
  static let rows: @AgentLoop (FakeAgent) -> Void = { agent in
    agent.items = Faces.items
    agent.face = Faces.playing
  }
}
