// SPDX-License-Identifier: MIT

/// How a process ended.
package enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
  /// It exited with this code.
  case exited(Int32)
  /// This signal killed it.
  case killed(Int32)

  /// Decodes the status from waitpid(2), whose macros Swift doesn't import.
  init(waitStatus status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
  }

  /// The status for a person to read.
  package var description: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .killed(let signal): "signal \(signal)"
    }
  }
}
