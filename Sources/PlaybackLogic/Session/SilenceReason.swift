// SPDX-License-Identifier: MIT

/// Why the listener hears no music.
package enum SilenceReason: Sendable, Hashable {
  /// The music is paused, by this person, program or event.
  case paused(by: Intent.Pauser)
  /// The sound server has no output that anyone could hear.
  case noOutput
  /// The music has stopped.
  case stopped(Ending)
  /// Music is wanted but interrupted. If there are several interruptions, this is the most important one.
  case interrupted(by: Interruption.Source)
  /// Music plays, but a mute or a volume of zero keeps it from being heard.
  case inaudible(Inaudibility)

  /// The name on D-Bus of this reason for silence.
  package var text: String {
    switch self {
    case .paused(by: .user): "user"
    case .paused(by: .route): "route"
    case .paused(by: .sleep): "sleep"
    case .paused(by: .sleepTimer): "sleep-timer"
    case .paused(by: .terminated): "terminated"
    case .paused(by: .restored): "restored"
    case .paused(by: .tool(let name)): "tool:\(name)"
    case .noOutput: "no-output"
    case .stopped(let how): how.text
    case .interrupted(let source): source.text
    case .inaudible(let cause): cause.rawValue
    }
  }
}

/// Why music stopped.
package enum Ending: Sendable, Hashable {
  /// The last of it was heard.
  case finished
  /// All that was left could not be played, such as files of a disk that is away.
  case unplayable
  /// The track was heard after which it was to stop.
  case afterCurrent
  /// The track that played was taken out of the queue, and no other track came after it.
  case removed
  /// A person or a program ordered it.
  case ordered(by: Sender)

  /// The name on D-Bus of this reason.
  package var text: String {
    switch self {
    case .finished: "finished"
    case .unplayable: "unplayable"
    case .afterCurrent: "after-current"
    case .removed: "removed"
    case .ordered(by: .user): "user"
    case .ordered(by: .wirePlumber): "route"
    case .ordered(by: .tool(let name)): "tool:\(name)"
    }
  }

  /// Whether this reason is about the entry that was current, such as that it can't be played. It is dropped when another entry becomes current. An
  /// order to stop, for example, is not about an entry.
  var isOfEntry: Bool { self == .finished || self == .unplayable || self == .removed }
}

/// Why music that plays cannot be heard: a mute or a volume of zero, mostly set in a mixer. The raw values are the
/// names on D-Bus.
package enum Inaudibility: String, Sendable, Hashable, CaseIterable {
  /// Our own stream is muted, and not by the server for a call.
  case muted
  /// The volume of our own stream is zero.
  case volume
  /// The output is muted.
  case outputMuted = "output-muted"
  /// The volume of the output is zero.
  case outputVolume = "output-volume"
}

/// The state of playback as our own D-Bus interface reports it. The raw values are the names on D-Bus.
///
/// The session uses only the first four. While the user seeks, the player reports one of the last two instead.
package enum PlaybackState: String, Sendable, CaseIterable {
  case stopped, playing, paused, interrupted, seekingForward, seekingBackward

  /// The three states that MPRIS knows.
  package enum MPRIS: String, Sendable {
    case stopped = "Stopped"
    case playing = "Playing"
    case paused = "Paused"
  }

  /// The state in MPRIS's terms: interrupted counts as paused, and seeking counts as playing because something is heard.
  package var mpris: MPRIS {
    switch self {
    case .stopped: .stopped
    case .paused, .interrupted: .paused
    case .playing, .seekingForward, .seekingBackward: .playing
    }
  }
}

// The session's state as others are shown it.
extension Session {
  /// Stopped, playing, paused or interrupted. The session never reports a seek.
  package var state: PlaybackState {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: holds.keys.contains(where: isShown) ? .interrupted : .playing
    }
  }

  /// Why nothing is heard, given the volume of our stream and the level of its output. Nil if music can be heard, and where no reason for
  /// a stop is known.
  /// If there are several reasons, one that keeps the music from playing is returned first, then our stream's mute and volume, then the output's.
  package func why(at volume: StreamVolume, on output: OutputLevel) -> SilenceReason? {
    guard state == .playing else { return why }
    if isMutedByUser { return .inaudible(.muted) }
    if volume.isSilent { return .inaudible(.volume) }
    if output.isMuted { return .inaudible(.outputMuted) }
    return output.isSilent ? .inaudible(.outputVolume) : nil
  }

  /// Why no music plays; nil while it plays, and where no reason for a stop is known.
  package var why: SilenceReason? {
    switch (state, intent) {
    case (.paused, .paused(let pauser)): hasOutput || pauser == .user ? .paused(by: pauser) : .noOutput
    case (.interrupted, _): chief.map { .interrupted(by: $0) }
    case (.stopped, _): ending.map { .stopped($0) }
    default: nil
    }
  }

  /// The sources of the interruption that is going on and that listeners are told of, the most important first.
  package var interruptions: [Interruption.Source] {
    holds.values.filter { $0.isTold && isShown($0.source) }.map(\.source).sorted()
  }

  /// The most important of the present interruptions; nil if there is none.
  private var chief: Interruption.Source? { holds.keys.filter(isShown).min() }
}
