// SPDX-License-Identifier: MIT

/// What a person typed cannot be meant: the thing, the reason, and what to do instead.
public struct UsageError: Error, Hashable, CustomStringConvertible {
  /// The thing.
  public let subject: String
  /// Why it cannot be.
  public let reason: String
  /// What to do instead.
  public let remedy: String

  /// An error. The texts may quote anything that was typed: they are made safe for a terminal here.
  public init(_ subject: String, _ reason: String, _ remedy: String) {
    self.subject = TerminalText.printable(subject)
    self.reason = TerminalText.printable(reason)
    self.remedy = TerminalText.printable(remedy)
  }

  /// `subject: reason; remedy`.
  public var description: String { "\(subject): \(reason); \(remedy)" }
}
