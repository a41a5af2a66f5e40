// SPDX-License-Identifier: MIT

/// A method: what it takes and what it gives back.
public struct MethodDescription: Sendable, Hashable {
  /// What it is called.
  public var name: MemberName
  /// What it takes.
  public var inputs: [ArgumentDescription]
  /// What it gives back.
  public var outputs: [ArgumentDescription]

  /// A method with these arguments.
  public init(
    _ name: MemberName, in inputs: [ArgumentDescription] = [], out outputs: [ArgumentDescription] = []
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}
