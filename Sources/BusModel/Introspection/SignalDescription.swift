// SPDX-License-Identifier: MIT

/// A signal and its arguments.
package struct SignalDescription: Sendable, Hashable {
  /// Its name.
  package var name: MemberName
  /// Its arguments.
  package var arguments: [ArgumentDescription]

  /// A signal with these arguments.
  package init(_ name: MemberName, _ arguments: [ArgumentDescription] = []) {
    self.name = name
    self.arguments = arguments
  }
}
