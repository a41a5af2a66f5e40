// SPDX-License-Identifier: MIT

/// A signal and what it says.
package struct SignalDescription: Sendable, Hashable {
  /// What it is called.
  package var name: MemberName
  /// What it says.
  package var arguments: [ArgumentDescription]

  /// A signal with these arguments.
  package init(_ name: MemberName, _ arguments: [ArgumentDescription] = []) {
    self.name = name
    self.arguments = arguments
  }
}
