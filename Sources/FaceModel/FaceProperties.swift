// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// The properties of one D-Bus interface, a row for each. Each row gives the property's description, its value, its changes and the order that
/// setting it means.
package struct FaceProperties<Face: Sendable>: Sendable {
  struct Row: Sendable {
    let description: PropertyDescription
    /// The property's value, from all that the player shows at one moment. Nil for the position in the track, which is not part of that because it
    /// moves all the time.
    fileprivate let value: (@Sendable (Face) -> WireValue)?
    fileprivate let mayDiffer: @Sendable (Face, Face) -> Bool
    fileprivate let order: (@Sendable (WireValue, Face) throws(BusError) -> FaceOrder?)?
  }

  private let interface: InterfaceName
  private let rows: [Row]

  init(of interface: InterfaceName, _ rows: [Row]) {
    self.interface = interface
    self.rows = rows
  }

  /// The properties as the interface describes them, in order.
  package var descriptions: [PropertyDescription] { rows.map(\.description) }

  /// The name and value of every property, in order, except the position in the track, which moves all the time.
  package func values(of face: Face) -> [(MemberName, WireValue)] {
    rows.compactMap { row in row.value.map { (row.description.name, $0(face)) } }
  }

  /// The value of one property; nil for the position in the track, and for a name that the interface does not have.
  package func value(of name: MemberName, in face: Face) -> WireValue? { row(name)?.value?(face) }

  /// The properties that `PropertiesChanged` has to report, in order, with their new values in full. If none of the face's fields behind them has
  /// changed, this costs next to nothing.
  package func changes(from old: Face, to new: Face) -> [(MemberName, WireValue)] {
    rows.compactMap { row in
      guard row.description.changes == .withValue, row.mayDiffer(old, new), let value = row.value else {
        return nil
      }
      let now = value(new)
      return now == value(old) ? nil : (row.description.name, now)
    }
  }

  /// The order that setting a property to this value means; nil if the interface says to ignore it. Throws for an invalid value, and for a property
  /// that can only be read or does not exist.
  package func order(
    setting name: MemberName, to value: WireValue, in face: Face
  ) throws(BusError) -> FaceOrder? {
    guard let row = row(name) else { throw .unknownProperty(name.text, of: interface.text) }
    guard let order = row.order else { throw .readOnly(name) }
    return try order(value, face)
  }

  private func row(_ name: MemberName) -> Row? { rows.first { $0.description.name == name } }
}

extension FaceProperties.Row {
  /// A property that can only be read. If `mayDiffer` returns false for what is shown at two times, the property has the same value in both; so the
  /// values need not be made and compared.
  init<Value: WireConvertible>(
    _ name: MemberName, changes: PropertyDescription.Changes = .withValue,
    mayDiffer: @escaping @Sendable (Face, Face) -> Bool = { _, _ in true },
    _ value: @escaping @Sendable (Face) -> Value
  ) {
    self.init(
      description: PropertyDescription(name, Value.wireType, changes: changes),
      value: { value($0).wireValue }, mayDiffer: mayDiffer, order: nil)
  }

  /// A property that can be set. `order` returns what the player is to do when a client sets it.
  init<Value: WireConvertible, Wanted: BusArgument>(
    _ name: MemberName, changes: PropertyDescription.Changes = .withValue,
    _ value: @escaping @Sendable (Face) -> Value,
    set order: @escaping @Sendable (Wanted, Face) throws(BusError) -> FaceOrder?
  ) {
    self.init(
      description: PropertyDescription(name, Value.wireType, .readWrite, changes: changes),
      value: { value($0).wireValue }, mayDiffer: { _, _ in true },
      order: { (value, face) throws(BusError) in
        guard let wanted = Wanted.Wire(wire: value) else {
          throw .propertyType(name, expected: Wanted.Wire.wireType, found: value.type)
        }
        return try order(Wanted.reading(wanted), face)
      })
  }

  /// The property that tells the position in the track. Its value is not made here: the position moves all the time, so it is asked of the player.
  static func position<Value: WireConvertible>(_ name: MemberName, as type: Value.Type) -> Self {
    Self(
      description: PropertyDescription(name, Value.wireType, changes: .silently), value: nil,
      mayDiffer: { _, _ in false }, order: nil)
  }
}

/// The order that a client gives by setting a property, on our own interfaces or MPRIS's, after the interface's rules have been applied.
package enum FaceOrder: Sendable, Hashable {
  /// An order for the player. The player knows the position in the track, so it decides what to do for a seek before the beginning or past the end.
  case player(PlayerOrder)
  case edit(ModeEdit)
  /// Set the volume, from 0 to 1.
  case setVolume(Double)
  /// Mute the music, or unmute it.
  case setMuted(Bool)

  /// An edit of the queue's modes. Like every edit it has to be stored before it is answered.
  package enum ModeEdit: Sendable, Hashable {
    case setRepeat(ModeChoice<RepeatMode>)
    case setShuffle(ModeChoice<ShuffleMode>)
    case setConsume(Bool)

    package func apply(to queue: inout PlayQueue) -> QueueChange {
      switch self {
      case .setRepeat(let choice): queue.setRepeat(choice)
      case .setShuffle(let choice): queue.setShuffle(choice)
      case .setConsume(let isOn): queue.setConsume(isOn)
      }
    }
  }
}
