// SPDX-License-Identifier: MIT

/// A property: its type, who may set it, and how its changes are told.
package struct PropertyDescription: Sendable, Hashable {
  /// What others may do with it.
  package enum Access: String, Sendable {
    case read
    case readWrite = "readwrite"
  }

  /// What `PropertiesChanged` says of it.
  package enum Changes: String, Sendable {
    /// The new value.
    case withValue = "true"
    /// Only that the old one is void.
    case withoutValue = "invalidates"
    /// Nothing, as it never changes while its object lives.
    case never = "const"
    /// Nothing, though it changes: who wants it asks.
    case silently = "false"
  }

  /// What it is called.
  package var name: MemberName
  /// What it is.
  package var type: WireType
  /// What others may do with it.
  package var access: Access
  /// How its changes are told.
  package var changes: Changes

  /// A property of this type.
  package init(_ name: MemberName, _ type: WireType, _ access: Access = .read, changes: Changes = .withValue)
  {
    self.name = name
    self.type = type
    self.access = access
    self.changes = changes
  }
}
