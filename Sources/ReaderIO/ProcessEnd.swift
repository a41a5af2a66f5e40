// SPDX-License-Identifier: MIT
import Glibc

/// How another process ended.
enum ProcessEnd: Equatable {
  /// This signal ended it.
  case signal(Int32)
  /// It ended by itself, with this exit status.
  case status(Int32)

  /// The end that `waitpid` reports.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  /// Whether somebody else ended the process: no file makes a reader send itself these signals, nor end in order.
  var isFromOutside: Bool {
    switch self {
    case .signal(let number): [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(number)
    case .status(let status): status == 0
    }
  }

  /// How it ended, as a clause of a sentence. `process` is a word for what the process is: "reader", "decoder".
  func sentence(of process: String) -> String {
    switch self {
    case .signal(let number): "signal \(number) ended the \(process)"
    case .status(let status): "the \(process) ended with status \(status)"
    }
  }
}
