// SPDX-License-Identifier: MIT

/// How a process ended.
package enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
  /// By itself, with this code.
  case exited(Int32)
  /// By this signal.
  case killed(Int32)

  /// Reads what waitpid(2) wrote; its macros are not imported.
  init(waitStatus status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
  }

  /// For a person.
  package var description: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .killed(let signal): "signal \(signal)"
    }
  }
}
