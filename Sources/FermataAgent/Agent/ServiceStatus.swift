// SPDX-License-Identifier: MIT
import PlaybackLogic

/// What the agent does, in a line for whoever asks the service manager: no titles, as what is told there is kept.
struct ServiceStatus: Equatable {
  let state: PlaybackState
  let why: SilenceReason?

  /// The line.
  var line: String {
    switch why {
    case .interrupted(by: .server)?: "waiting for a sound server"
    case .paused(by: .user)?, nil: state.rawValue
    case let why?: "\(state.rawValue): \(why.text)"
    }
  }
}
