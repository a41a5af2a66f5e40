// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic

/// What the agent does, in a line for whoever asks the service manager: no titles, as what is told there is kept.
struct ServiceStatus: Equatable {
  let state: PlaybackState
  let why: SilenceReason?

  /// The line.
  var line: String { PlainWords.state(state, why?.text) }
}
