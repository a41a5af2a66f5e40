// SPDX-License-Identifier: MIT
package import CommandModel

/// A command as data: its definition, and what a command line that fits it says, typed.
///
/// Nothing runs here. A declaration promises only that whoever performs the command need not look at words any more.
package protocol CommandDeclaration {
  /// What was said to the command.
  associatedtype Options: CommandOptions
  /// The command.
  static var definition: CommandDefinition { get }
}
