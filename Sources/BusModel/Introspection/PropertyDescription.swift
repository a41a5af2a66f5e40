// SPDX-License-Identifier: MIT

/// A property: its type, whether others may set it, and how its changes are reported.
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
    /// Only that the old value is no longer valid.
    case withoutValue = "invalidates"
    /// Nothing, since it never changes while its object exists.
    case never = "const"
    /// Nothing, although it changes. Clients have to ask for the value.
    case silently = "false"
  }

  /// Its name.
  package var name: MemberName
  /// Its type.
  package var type: WireType
  /// What others may do with it.
  package var access: Access
  /// How its changes are reported.
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
