// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import FermataTestKit

/// A desktop that shows playlists: asks for them, and hears what is told of them.
@AgentLoop
final class PlaylistClient {
  private let connection: BusConnection
  private var subscription: BusSubscription?
  private var signals: [BusSignal] = []
  private let waiter = LoopWaiter()

  private static let name: BusName = "org.mpris.MediaPlayer2.fermata"
  private static let playlists = MPRISDescriptions.playlists.name

  convenience init(_ bus: PrivateBus) async throws { try await self.init(at: bus.address) }

  init(at address: String) async throws {
    connection = try await BusConnection.open(.address(address), timeout: .patience)
    subscription = try await connection.subscribe(MatchRule(path: MPRISDescriptions.path)) {
      [weak self] signal in
      self?.hear(signal)
    }
  }

  func close() { connection.close() }

  func forget() { signals = [] }

  /// How often a property was told since what was told before was forgotten.
  func changes(of property: String) -> Int {
    signals.count { signal in
      signal.member == "PropertiesChanged" && signal.arguments.first == .string(Self.playlists.text)
        && [String: WireValue](wire: signal.arguments[1])?[property] != nil
    }
  }

  private func hear(_ signal: BusSignal) {
    signals.append(signal)
    waiter.look()
  }

  /// Waits until a property of the playlists was told with this value.
  func wait(for property: String, _ value: WireValue) async throws {
    try await wait(for: "\(property) \(value)") { signal in
      signal.member == "PropertiesChanged" && signal.arguments.first == .string(Self.playlists.text)
        && [String: WireValue](wire: signal.arguments[1])?[property] == value
    }
  }

  /// Waits until a playlist of this name was told to be another.
  func waitForChange(of name: String) async throws {
    try await wait(for: "a change of \(name)") { signal in
      signal.member == "PlaylistChanged" && signal.arguments.first?.fields?[1] == .string(name)
    }
  }

  /// What was told up to it is forgotten.
  private func wait(for what: String, _ isIt: @escaping @AgentLoop (BusSignal) -> Bool) async throws {
    try await waiter.wait(for: what, seen: { "\(self.signals)" }) { self.signals.contains(where: isIt) }
    if let index = signals.firstIndex(where: isIt) { signals.removeSubrange(...index) }
  }

  func get(_ property: String) async throws -> WireValue? {
    let reply = try await call(
      StandardInterfaces.properties.name, "Get", .arguments(Self.playlists.text, property))
    guard case .variant(let value)? = reply.first else { return reply.first }
    return value
  }

  /// Paths and names of a page.
  func page(_ first: UInt32, _ count: UInt32, _ order: String, reversed: Bool = false) async throws -> [(
    path: ObjectPath, name: String
  )] {
    let reply = try await call(Self.playlists, "GetPlaylists", .arguments(first, count, order, reversed))
    guard case .array(_, let rows)? = reply.first else { return [] }
    return rows.compactMap { row in
      guard let fields = row.fields, let path = ObjectPath(wire: fields[0]),
        let name = String(wire: fields[1])
      else { return nil }
      return (path, name)
    }
  }

  func activate(_ path: ObjectPath) async throws {
    _ = try await call(Self.playlists, "ActivatePlaylist", [.objectPath(path)])
  }

  /// The path of the one that is active.
  func active() async throws -> ObjectPath? {
    guard let fields = try await get("ActivePlaylist")?.fields, fields[0] == .boolean(true) else {
      return nil
    }
    return fields[1].fields.flatMap { ObjectPath(wire: $0[0]) }
  }

  private func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [WireValue]
  ) async throws -> [WireValue] {
    try await connection.call(BusTarget(Self.name, MPRISDescriptions.path, interface, member), arguments)
  }
}
