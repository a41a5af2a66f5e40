// SPDX-License-Identifier: MIT

/// The exit status of the program. Scripts may rely on these numbers. Those from 64 are the ones of `sysexits.h`.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  case done = 0
  case refused = 1
  case usage = 64
  case nothingPlayable = 65
  case noSuchFile = 66
  case unavailable = 69
  case cannotWrite = 73
  case tryAgain = 75
  case badSettings = 78

  /// What it says, as a phrase.
  package var meaning: String {
    switch self {
    case .done: "Done"
    case .refused: "Refused, with a reason"
    case .usage: "Wrong usage"
    case .nothingPlayable: "Nothing playable"
    case .noSuchFile: "No such file or folder"
    case .unavailable: "No session bus, agent or sound server"
    case .cannotWrite: "Cannot write"
    case .tryAgain: "Busy: try again later"
    case .badSettings: "Bad settings"
    }
  }
}
