// SPDX-License-Identifier: MIT

/// Who gave an order, as far as the bus can tell.
package enum Sender: Sendable, Hashable {
  /// A person, by whatever program.
  case user
  /// The session manager, which pauses players when their output goes.
  case wirePlumber
  /// A program that pauses for reasons of its own, such as a phone link, by its name.
  case tool(String)

  /// The interruption that this sender's Pause is; a person's is none.
  var source: Interruption.Source? {
    switch self {
    case .user: nil
    case .wirePlumber: .wirePlumber
    case .tool(let name): .tool(name)
    }
  }
}
