// SPDX-License-Identifier: MIT

// What outward faces show.
extension Session {
  /// One of the first four states. A look at the route, which nobody would notice, is not one of its own.
  package var state: PlaybackState {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: holds.keys.allSatisfy { $0 == .route } ? .playing : .interrupted
    }
  }

  /// Why nothing is heard, where mixers have left our stream this volume and its output this level. What keeps it from playing counts
  /// first, then what is nearest to the music.
  package func why(at volume: StreamVolume, on output: OutputLevel) -> SilenceReason? {
    guard state == .playing else { return why }
    if isMutedByUser { return .inaudible(.muted) }
    if volume.isSilent { return .inaudible(.volume) }
    if output.isMuted { return .inaudible(.outputMuted) }
    return output.isSilent ? .inaudible(.outputVolume) : nil
  }

  /// Why it does not play; nil while it does, and where nothing is wanted.
  package var why: SilenceReason? {
    switch (state, intent) {
    case (.paused, .paused(let pauser)): hasOutput || pauser == .user ? .paused(by: pauser) : .noOutput
    case (.interrupted, _): chief.map { .interrupted(by: $0) }
    default: nil
    }
  }

  /// What interrupts and was told, the weightiest first.
  package var interruptions: [Interruption.Source] {
    holds.values.filter { $0.isTold && $0.source.isAnnounced }.map(\.source)
      .sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }
  }

  /// The weightiest of what holds the music up; among programs, the first by name.
  private var chief: Interruption.Source? {
    holds.keys.min { ($0.rank, $0.text) < ($1.rank, $1.text) }
  }
}
