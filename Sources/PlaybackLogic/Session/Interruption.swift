// SPDX-License-Identifier: MIT

/// Something that keeps the music silent although it is wanted. Several at once are counted by their source.
package struct Interruption: Sendable, Hashable {
  /// Who or what interrupts.
  package enum Source: Sendable, Hashable {
    /// The sound server asked for silence.
    case cork
    /// Somebody else's stream with the role of a phone.
    case call
    /// Somebody else listens to a microphone.
    case microphone
    /// Somebody else's stream with another role that was set to pause.
    case role(WatchedRole)
    /// The server has let go of the output.
    case suspend
    /// The machine goes to sleep.
    case sleep
    /// The stream makes no progress.
    case stall
    /// No sound server answers.
    case server
    /// The sound server answers, and makes no stream for us: it has too many, say.
    case refusal
    /// The way of the sound is being looked at. Lasts milliseconds, a second at most beside a server that is away, and is never
    /// announced.
    case route
    /// The session manager's own Pause when an output goes; it ends with what the route's classification finds.
    case wirePlumber
    /// A program's Pause for reasons of its own, by its name.
    case tool(String)
  }

  /// Who or what interrupts.
  package let source: Source
  /// The user knows of it: it stopped what was playing, or was named as what playing waits for. The user's next Play ends it.
  package internal(set) var isKnown: Bool
  /// Its beginning was told, so its end has to be.
  let isTold: Bool

  init(_ source: Source, isKnown: Bool, isTold: Bool) {
    self.source = source
    self.isKnown = isKnown
    self.isTold = isTold
  }
}

extension Interruption.Source {
  /// Playback streams with this role.
  package init(_ role: WatchedRole) { self = role == .phone ? .call : .role(role) }

  /// As the bus has it.
  package var text: String {
    switch self {
    case .cork: "cork"
    case .call: "call"
    case .microphone: "microphone"
    case .role(let role): role.rawValue
    case .suspend: "suspend"
    case .sleep: "sleep"
    case .stall: "stall"
    case .server, .refusal: "server"
    case .route: "route"
    case .wirePlumber: "tool:WirePlumber"
    case .tool(let name): "tool:\(name)"
    }
  }

  /// The user's Play cannot end what makes playing impossible.
  var yieldsToUser: Bool { self != .server && self != .route }

  /// Only the stream's own progress shows that these are over, so it stays uncorked.
  var leavesStreamOpen: Bool { self == .suspend || self == .stall }

  /// What a listener is told of. The look at a route is over before anyone could care, and WirePlumber's Pause is the same
  /// event as the route change that it goes with.
  var isAnnounced: Bool { self != .route && self != .wirePlumber }

  /// Of several, the one that is named first.
  var rank: Int {
    switch self {
    case .server, .refusal: 0
    case .call: 1
    case .cork: 2
    case .microphone: 3
    case .role: 4
    case .sleep: 5
    case .suspend: 6
    case .stall: 7
    case .tool: 8
    case .wirePlumber: 9
    case .route: 10
    }
  }
}
