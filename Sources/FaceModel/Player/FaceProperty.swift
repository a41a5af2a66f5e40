// SPDX-License-Identifier: MIT
import BusModel

/// One bus property: how its value is made from a `PlayerFace`, and how its changes are found.
struct FaceProperty: Sendable {
  let name: MemberName
  /// A cheap test whether the value may have changed. If it says no, the two values are neither made nor compared.
  var mayDiffer: @Sendable (PlayerFace, PlayerFace) -> Bool = { _, _ in true }
  let value: @Sendable (PlayerFace) -> WireValue

  static func flag(_ name: MemberName, _ value: @escaping @Sendable (PlayerFace) -> Bool) -> FaceProperty {
    FaceProperty(name: name) { .boolean(value($0)) }
  }

  /// A property that never changes.
  static func constant(_ name: MemberName, _ value: WireValue) -> FaceProperty {
    silent(name) { _ in value }
  }

  /// A property whose changes are not reported by `PropertiesChanged`.
  static func silent(_ name: MemberName, _ value: @escaping @Sendable (PlayerFace) -> WireValue)
    -> FaceProperty
  {
    FaceProperty(name: name, mayDiffer: { _, _ in false }, value: value)
  }

  /// Whether the dictionary of the current track may have changed. Comparing these fields is cheap; making the
  /// dictionary is not.
  static let hasOtherTrack: @Sendable (PlayerFace, PlayerFace) -> Bool = { old, new in
    old.entry != new.entry || old.knownLength != new.knownLength || old.artURL != new.artURL
      || old.item != new.item
  }
}

extension [FaceProperty] {
  func values(of face: PlayerFace) -> [(MemberName, WireValue)] { map { ($0.name, $0.value(face)) } }

  func value(of name: MemberName, _ face: PlayerFace) -> WireValue? {
    first { $0.name == name }?.value(face)
  }

  func changes(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, WireValue)] {
    compactMap { property in
      guard property.mayDiffer(old, new) else { return nil }
      let value = property.value(new)
      return value == property.value(old) ? nil : (property.name, value)
    }
  }
}
