// SPDX-License-Identifier: MIT

/// Why there is no agent, as a screen says it.
package enum AgentAbsence: Sendable, Hashable {
  /// Somebody ended it, or it ended with the session.
  case ended
  /// It went without a word. `comesBack` says whether it is started again by itself.
  case crashed(comesBack: Bool)
  /// None runs. How the last one ended is not known.
  case absent
  /// It could not be started, for this reason.
  case unstartable(String)
  /// There is no bus to reach one on, for this reason.
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

  /// What happens by itself, or what the user can do about it.
  package var remedy: String {
    switch self {
    case .ended: "p starts it again"
    case .crashed(comesBack: true): "it is started again"
    case .crashed(comesBack: false), .absent: "p starts it"
    case .unstartable: "p tries again"
    case .noBus: "q leaves"
    }
  }
}

/// Decides whether an agent that is gone is started again: one that crashed is, one that somebody ended is not.
///
/// An agent that ends in order says so before it goes. What it is told is when agents come and go, and that word.
package struct AgentRevival: Sendable {
  /// How long after a crash another is started.
  package static let delay = Duration.seconds(1)
  /// One that crashes again within this time stays away, so that it is not started again and again.
  package static let leastLife = Duration.seconds(60)

  private var isAnnounced = false
  /// When one was started last in the place of one that had crashed.
  private var revived: Duration?

  package init() {}

  /// The agent says that it ends.
  package mutating func announceEnd() { isAnnounced = true }

  package mutating func came() { isAnnounced = false }

  /// The agent has gone at this time. Returns why; after a crash from which it comes back, another is to be started after `delay`.
  package mutating func went(at time: Duration) -> AgentAbsence {
    defer { isAnnounced = false }
    if isAnnounced { return .ended }
    if let revived, time - revived < Self.leastLife { return .crashed(comesBack: false) }
    revived = time
    return .crashed(comesBack: true)
  }
}
