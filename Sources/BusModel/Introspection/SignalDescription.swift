// SPDX-License-Identifier: MIT

/// A signal and what it says.
public struct SignalDescription: Sendable, Hashable {
  /// What it is called.
  public var name: MemberName
  /// What it says.
  public var arguments: [ArgumentDescription]

  /// A signal with these arguments.
  public init(_ name: MemberName, _ arguments: [ArgumentDescription] = []) {
    self.name = name
    self.arguments = arguments
  }
}
