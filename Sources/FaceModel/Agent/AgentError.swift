// SPDX-License-Identifier: MIT
package import BusModel

/// The names of the errors that our own interfaces return. Each stands for one way in which the command line can fail.
package enum AgentError: String, Sendable, CaseIterable {
  /// It cannot be done in the present state.
  case refused = "Refused"
  /// Nothing of what was named can be played.
  case nothingPlayable = "NothingPlayable"
  /// A file or folder is not there.
  case noSuchFile = "NoSuchFile"
  /// No sound server answers.
  case noServer = "NoServer"
  /// A file cannot be written.
  case cannotWrite = "CannotWrite"
  /// Something else is in progress.
  case tryAgain = "TryAgain"
  /// The settings hold something that is not possible.
  case badSettings = "BadSettings"

  private static let prefix = "org.fermata.Error."

  /// The full name, as a message carries it.
  package var name: BusError.Name { BusError.Name(unchecked: Self.prefix + rawValue) }

  /// The error with this full name; nil if the name is not one of ours.
  package init?(_ name: BusError.Name) {
    guard name.text.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.text.dropFirst(Self.prefix.count)))
  }

  /// An error with a text for people.
  package func callAsFunction(_ message: String) -> BusError { BusError(name, message) }
}
