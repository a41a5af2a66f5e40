// SPDX-License-Identifier: MIT

/// One argument of a method or signal.
package struct ArgumentDescription: Sendable, Hashable {
  /// What it is called; for people only.
  package var name: MemberName
  /// What it is.
  package var type: WireType

  /// An argument of this name and type.
  package init(_ name: MemberName, _ type: WireType) {
    self.name = name
    self.type = type
  }
}
