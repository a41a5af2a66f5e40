// SPDX-License-Identifier: MIT

/// A method: what it takes and what it gives back.
package struct MethodDescription: Sendable, Hashable {
  /// Its name.
  package var name: MemberName
  /// What it takes.
  package var inputs: [ArgumentDescription]
  /// What it gives back.
  package var outputs: [ArgumentDescription]

  /// A method with these arguments.
  package init(
    _ name: MemberName, in inputs: [ArgumentDescription] = [], out outputs: [ArgumentDescription] = []
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}
