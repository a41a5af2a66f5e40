// SPDX-License-Identifier: MIT

/// Who gave an order, as far as the bus can tell.
package enum Sender: Sendable, Hashable {
  /// A person, through any program.
  case user
  /// PipeWire's session manager, which pauses players when their output goes away.
  case wirePlumber
  /// A program of this name that pauses for reasons of its own, such as a phone link.
  case tool(String)

  /// The interruption that a Pause from this sender begins; nil for a person, whose Pause is none.
  var source: Interruption.Source? {
    switch self {
    case .user: nil
    case .wirePlumber: .wirePlumber
    case .tool(let name): .tool(name)
    }
  }
}
