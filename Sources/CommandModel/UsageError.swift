// SPDX-License-Identifier: MIT

/// An invalid command line: what is wrong, the reason, and what to do instead.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  /// The part that is wrong.
  package let subject: String
  /// Why it is wrong.
  package let reason: String
  /// What to do instead.
  package let remedy: String

  /// An error. The texts may quote what the user typed; they are made safe for a terminal here.
  package init(_ subject: String, _ reason: String, _ remedy: String) {
    self.subject = TerminalText.printable(subject)
    self.reason = TerminalText.printable(reason)
    self.remedy = TerminalText.printable(remedy)
  }

  /// `subject: reason; remedy`.
  package var description: String { "\(subject): \(reason); \(remedy)" }
}
