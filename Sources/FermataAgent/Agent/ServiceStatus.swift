// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic

/// What the agent is doing, as the one-line status that the service manager shows. It has no titles, because the journal keeps what
/// it is told.
struct ServiceStatus: Equatable {
  let state: PlaybackState
  let why: SilenceReason?

  /// The text of the status.
  var line: String { PlainWords.state(state, why?.text) }
}
