// SPDX-License-Identifier: MIT
package import CommandModel

/// Why a command wasn't done: the thing, the reason, and what to do.
package struct CommandError: Error, Hashable, CustomStringConvertible {
  /// How the program ends.
  package let code: ExitCode
  /// The thing.
  package let subject: String
  /// Why not.
  package let reason: String
  /// What to do; empty where there is nothing.
  package let remedy: String

  /// An error. The texts may come from anywhere: they are made safe for a terminal here. Traps on `done`, which is none.
  package init(_ code: ExitCode, _ subject: String, _ reason: String, _ remedy: String = "") {
    precondition(code != .done, "an error that is none")
    self.code = code
    self.subject = TerminalText.printable(subject)
    self.reason = TerminalText.printable(reason)
    self.remedy = TerminalText.printable(remedy)
  }

  /// What a person typed cannot be meant.
  package init(_ error: UsageError) {
    self.init(.usage, error.subject, error.reason, error.remedy)
  }

  /// `subject: reason; remedy`.
  package var description: String { "\(subject): \(reason)" + (remedy.isEmpty ? "" : "; \(remedy)") }
}
