// SPDX-License-Identifier: MIT

// What is shown of the session to the outside.
extension Session {
  /// One of the first four states. A look at the route does not count as an interruption here, because nobody would notice it.
  package var state: PlaybackState {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: holds.keys.allSatisfy { $0 == .route } ? .playing : .interrupted
    }
  }

  /// Why nothing is heard, given the volume of our stream and the level of its output. Nil if music can be heard, and
  /// when the session is stopped. What keeps the music from playing comes first, then our stream's mute and volume,
  /// then the output's.
  package func why(at volume: StreamVolume, on output: OutputLevel) -> SilenceReason? {
    guard state == .playing else { return why }
    if isMutedByUser { return .inaudible(.muted) }
    if volume.isSilent { return .inaudible(.volume) }
    if output.isMuted { return .inaudible(.outputMuted) }
    return output.isSilent ? .inaudible(.outputVolume) : nil
  }

  /// Why no music plays; nil while it plays and when the session is stopped.
  package var why: SilenceReason? {
    switch (state, intent) {
    case (.paused, .paused(let pauser)): hasOutput || pauser == .user ? .paused(by: pauser) : .noOutput
    case (.interrupted, _): chief.map { .interrupted(by: $0) }
    default: nil
    }
  }

  /// The interruptions whose beginning was reported, in the order of their rank.
  package var interruptions: [Interruption.Source] {
    holds.values.filter { $0.isTold && $0.source.isAnnounced }.map(\.source)
      .sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }
  }

  /// The interruption that is named when there are several: the one with the lowest rank. Programs all have the same
  /// rank and are ordered by name.
  private var chief: Interruption.Source? {
    holds.keys.min { ($0.rank, $0.text) < ($1.rank, $1.text) }
  }
}
