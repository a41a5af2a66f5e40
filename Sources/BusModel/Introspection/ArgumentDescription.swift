// SPDX-License-Identifier: MIT

/// One argument of a method or signal.
package struct ArgumentDescription: Sendable, Hashable {
  /// Its name, which is only for people.
  package var name: MemberName
  /// Its type.
  package var type: WireType

  /// An argument of this name and type.
  package init(_ name: MemberName, _ type: WireType) {
    self.name = name
    self.type = type
  }
}
