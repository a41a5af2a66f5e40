// SPDX-License-Identifier: MIT

/// Something that keeps the music silent although it is wanted. There is at most one for each source, which is what keeps it silent, such as a call.
package struct Interruption: Sendable, Hashable {
  /// What keeps the music silent.
  package enum Source: Sendable, Hashable {
    /// The sound server asked for silence.
    case cork
    /// Another program plays a stream with the role `phone`.
    case call
    /// Another program records a microphone.
    case microphone
    /// Another program plays a stream whose role (`media.role`) is one for which the settings say to pause the music, other than a phone call's.
    case role(WatchedRole)
    /// The server has suspended the output that our sound goes to.
    case suspend
    /// The machine is about to sleep, or asleep.
    case sleep
    /// Our stream is uncorked, but the server takes no sound from it.
    case stall
    /// No sound server answers.
    case server
    /// The sound server answers but refuses to make our stream, for example because it has too many.
    case refusal
    /// The route classifier is finding out where our sound goes now. This takes milliseconds, one or two seconds if a card
    /// changes its profile, five while PipeWire's session manager is away, and longer while the server is. Listeners are never told of it.
    case route
    /// WirePlumber ordered a Pause because an output went away. This ends when the route classifier has found out where our sound
    /// goes now.
    case wirePlumber
    /// A program of this name ordered a Pause for reasons of its own.
    case tool(String)
  }

  package let source: Source
  /// Its number among the interruptions of this session, in the order in which they began.
  let number: Int
  /// Whether the user knows of the interruption, because it stopped music that was playing, or because an earlier Play had to
  /// wait for it. If so, the user's next Play ends it, unless playing is impossible meanwhile.
  package internal(set) var isKnown: Bool
  /// Whether listeners, such as programs on the bus, are told of the interruption.
  let isTold: Bool

  init(_ source: Source, number: Int, isKnown: Bool, isTold: Bool) {
    self.source = source
    self.number = number
    self.isKnown = isKnown
    self.isTold = isTold
  }
}

extension Interruption.Source {
  /// The source of interruptions by other programs' streams with this role.
  package init(_ role: WatchedRole) { self = role == .phone ? .call : .role(role) }

  /// The name on D-Bus of this source of interruptions.
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

  /// Whether the user's Play can end an interruption of this source. `server` and `route` cannot be ended like that, because
  /// playing is impossible meanwhile.
  var yieldsToUser: Bool { self != .server && self != .route }

  /// Whether our stream stays uncorked (not kept silent by us) during this interruption. A suspension or stall is seen to be over
  /// by the stream's progress, and a corked stream makes none.
  var leavesStreamOpen: Bool { self == .suspend || self == .stall }

  /// Whether listeners are told of the beginning and the end of this interruption. `route` is over before anyone could notice it,
  /// and WirePlumber's Pause belongs to a change of the output that is reported itself.
  var isAnnounced: Bool { self != .route && self != .wirePlumber }

  /// Whether PulseAudio mutes our stream for this source.
  var isCall: Bool { self == .cork || self == .call }

  /// Whether this interruption goes on even if the user plays on, until the server or the call watcher reports its end.
  var isWatched: Bool {
    switch self {
    case .cork, .call, .microphone, .role: true
    default: false
    }
  }

  /// How important the source is, 0 for the most important.
  private var rank: Int {
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

extension Interruption.Source: Comparable {
  /// Whether the first is more important. Of several interruptions at once, people are told the most important one. Programs are all equally
  /// important and are ordered by name.
  package static func < (first: Self, second: Self) -> Bool {
    (first.rank, first.text) < (second.rank, second.text)
  }
}

/// One interruption as listeners are told of it. It may have several sources: PulseAudio asks for silence because of a call
/// (cork), and the call is also seen among the streams.
package struct ToldInterruption: Sendable, Hashable {
  /// The source that began the interruption.
  package let source: Interruption.Source
  /// All sources that the interruption has had until now, in the order in which they began.
  package internal(set) var sources: [Interruption.Source]
  /// Whether music was heard before the interruption.
  package let wasPlaying: Bool

  /// An interruption with these sources; the first of them began it.
  package init(_ source: Interruption.Source, _ others: Interruption.Source..., wasPlaying: Bool) {
    self.source = source
    sources = [source] + others
    self.wasPlaying = wasPlaying
  }
}

/// What becomes of the music when an interruption ends.
package enum InterruptionEnd: Sendable, Hashable {
  /// The music goes on now.
  case resumes
  /// The music stays silent, because somebody has paused or stopped it meanwhile.
  case staysSilent
  /// What interrupts goes on, but the user ordered Play nevertheless, so the music goes on too.
  case overruled
}
