// SPDX-License-Identifier: MIT
package import CommandModel

/// Why a command failed: what it is about, the reason, and what to do.
package struct CommandError: Error, Hashable, CustomStringConvertible {
  /// The exit status that the program ends with.
  package let code: ExitCode
  /// What the error is about.
  package let subject: String
  /// The reason.
  package let reason: String
  /// What to do about it; empty if nothing can be done.
  package let remedy: String

  /// An error. The texts may come from anywhere; they are made safe for a terminal here. Traps on the code `done`,
  /// which is not an error.
  package init(_ code: ExitCode, _ subject: String, _ reason: String, _ remedy: String = "") {
    precondition(code != .done, "an error that is none")
    self.code = code
    self.subject = TerminalText.printable(subject)
    self.reason = TerminalText.printable(reason)
    self.remedy = TerminalText.printable(remedy)
  }

  /// An error for a command line that is not valid.
  package init(_ error: UsageError) {
    self.init(.usage, error.subject, error.reason, error.remedy)
  }

  /// `subject: reason; remedy`.
  package var description: String { "\(subject): \(reason)" + (remedy.isEmpty ? "" : "; \(remedy)") }
}
