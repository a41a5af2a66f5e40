// SPDX-License-Identifier: MIT
package import BusModel

/// The names of our own interfaces' errors: one for each way in which the command line can end.
package enum AgentError: String, Sendable, CaseIterable {
  /// It cannot be done as things are.
  case refused = "Refused"
  /// Nothing of what was named can be played.
  case nothingPlayable = "NothingPlayable"
  /// A file or folder is not there.
  case noSuchFile = "NoSuchFile"
  /// No sound server answers.
  case noServer = "NoServer"
  /// A file cannot be written.
  case cannotWrite = "CannotWrite"
  /// Something else is under way.
  case tryAgain = "TryAgain"
  /// The settings say something that cannot be.
  case badSettings = "BadSettings"

  private static let prefix = "org.fermata.Error."

  /// The name as it travels.
  package var name: BusError.Name { BusError.Name(unchecked: Self.prefix + rawValue) }

  /// The error behind a name; nothing for another's.
  package init?(_ name: BusError.Name) {
    guard name.text.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.text.dropFirst(Self.prefix.count)))
  }

  /// An error with a text for people.
  package func callAsFunction(_ message: String) -> BusError { BusError(name, message) }
}
