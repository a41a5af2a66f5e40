// SPDX-License-Identifier: MIT

/// Why there is no agent, for a screen to show.
package enum AgentAbsence: Sendable, Hashable {
  /// The agent ended on purpose: somebody ended it, or the session is over.
  case ended
  /// The agent went without announcing its end. `comesBack` says whether the screen starts another one.
  case crashed(comesBack: Bool)
  /// No agent runs. How the last one ended is not known.
  case absent
  /// No agent could be started, for this reason.
  case unstartable(String)
  /// There is no bus on which to reach an agent, for this reason.
  case noBus(String)

  package var reason: String {
    switch self {
    case .ended: "the agent was ended"
    case .crashed(comesBack: true): "the agent has crashed"
    case .crashed(comesBack: false): "the agent has crashed again"
    case .absent: "no agent runs"
    case .unstartable(let why), .noBus(let why): why
    }
  }

  /// What will happen without the user, or what the user can do about it. `play` is the key or command that starts an agent.
  package func remedy(by play: String) -> String {
    switch self {
    case .ended: "\(play) starts it again"
    case .crashed(comesBack: true): "it is started again"
    case .crashed(comesBack: false), .absent: "\(play) starts it"
    case .unstartable: "\(play) tries again"
    case .noBus: "q leaves"
    }
  }
}

/// Decides whether the screen starts another agent when one is gone: it does after a crash, and does not if somebody ended the agent.
///
/// An agent that ends on purpose announces that first. This value is told of the announcement, and when agents come and go.
package struct AgentRevival: Sendable {
  /// How long after a crash another agent is started.
  package static let delay = Duration.seconds(1)
  /// If an agent that was started after a crash crashes within this time, no further one is started.
  package static let leastLife = Duration.seconds(60)

  private var isAnnounced = false
  /// When an agent was last started after a crash.
  private var revived: Duration?

  package init() {}

  /// Call when the agent announces its end.
  package mutating func announceEnd() { isAnnounced = true }

  package mutating func came() { isAnnounced = false }

  /// Call when the agent has gone. Returns the reason. If that is a crash after which the agent comes back, another one is to be started after
  /// `delay`.
  package mutating func went(at time: Duration) -> AgentAbsence {
    defer { isAnnounced = false }
    if isAnnounced { return .ended }
    if let revived, time - revived < Self.leastLife { return .crashed(comesBack: false) }
    revived = time
    return .crashed(comesBack: true)
  }
}
