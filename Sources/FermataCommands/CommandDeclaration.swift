// SPDX-License-Identifier: MIT
package import CommandModel

/// A command as data: its definition, and the type of the options that parsing it gives.
///
/// It does not run the command. It only makes sure that the code that runs it gets typed values instead of words.
package protocol CommandDeclaration {
  /// The typed options and arguments of the command.
  associatedtype Options: CommandOptions
  /// The definition of the command.
  static var definition: CommandDefinition { get }
}
