// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import PlaybackLogic

extension CommandError {
  /// An error for what the agent or the bus answered to a command.
  init(_ error: BusError, of command: String) {
    if let refusal = AgentError(error.name) {
      let isEmpty = refusal == .refused && error.message == Refusal.emptyQueue.rawValue
      self.init(
        ExitCode(refusal), command, error.message, isEmpty ? "fill it with 'fermata play SOURCE…'" : "")
      return
    }
    switch error.name {
    case .serviceUnknown, .nameHasNoOwner, .noReply, .noServer, .disconnected:
      self.init(.unavailable, "agent", error.message, "see whether 'fermata agent' says why")
    case .unknownObject, .unknownInterface, .unknownMethod, .unknownProperty:
      self.init(
        .unavailable, "agent", "it is of another version (\(error.message))",
        "end it and start the new one with 'fermata agent &'")
    default: self.init(.refused, command, error.message)
    }
  }
}

extension ExitCode {
  init(_ error: AgentError) {
    self =
      switch error {
      case .refused: .refused
      case .nothingPlayable: .nothingPlayable
      case .noSuchFile: .noSuchFile
      case .noServer: .unavailable
      case .cannotWrite: .cannotWrite
      case .tryAgain: .tryAgain
      case .badSettings: .badSettings
      }
  }
}
