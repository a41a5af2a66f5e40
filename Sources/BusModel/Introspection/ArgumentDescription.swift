// SPDX-License-Identifier: MIT

/// One argument of a method or signal.
public struct ArgumentDescription: Sendable, Hashable {
  /// What it is called; for people only.
  public var name: MemberName
  /// What it is.
  public var type: WireType

  /// An argument of this name and type.
  public init(_ name: MemberName, _ type: WireType) {
    self.name = name
    self.type = type
  }
}
