// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import FermataTestKit
import Testing

/// A client on a bus that calls one service step by step and keeps every signal of it. Each call blocks.
final class MPRISClient: Sendable {
  /// Who is called.
  let service: BusName
  let connection: BusConnection
  private let subscriptions: [BusSubscription]
  private let heard: HeardSignals

  static let playerName: BusName = "org.mpris.MediaPlayer2.fermata"

  /// Connects; signals are kept from now on.
  init(_ bus: PrivateBus, of service: BusName = playerName) throws {
    let address = bus.address
    let heard = HeardSignals()
    (connection, subscriptions) = try onLoopBlocking("connection") {
      let connection = try await BusConnection.open(.address(address), timeout: .patience)
      var subscriptions: [BusSubscription] = []
      // The agent and its player have a connection each.
      for sender in [service, AgentDescriptions.busName] {
        subscriptions.append(try await connection.subscribe(MatchRule(sender: sender)) { heard.add($0) })
      }
      return (connection, subscriptions)
    }
    self.service = service
    self.heard = heard
  }

  /// Leaves the bus.
  func close() { try? onLoopBlocking("end") { [connection] in connection.close() } }

  // MARK: Calls

  @discardableResult
  func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [WireValue] = []
  ) throws -> [WireValue] {
    let target = BusTarget(Self.name(of: path, at: service), path, interface, member)
    return try onLoopBlocking("answer to \(member)") { [connection] in
      try await connection.call(target, arguments, timeout: .patience)
    }
  }

  /// The name by which an object is called: our own interfaces are offered by no other than theirs.
  static func name(of path: ObjectPath, at service: BusName) -> BusName {
    path == AgentDescriptions.path ? AgentDescriptions.busName : service
  }

  /// A method of MPRIS's player.
  @discardableResult
  func player(_ member: MemberName, _ arguments: WireValue...) throws -> [WireValue] {
    try call(MPRISDescriptions.path, MPRISDescriptions.player.name, member, arguments)
  }

  /// A method of MPRIS's track list.
  @discardableResult
  func trackList(_ member: MemberName, _ arguments: WireValue...) throws -> [WireValue] {
    try call(MPRISDescriptions.path, MPRISDescriptions.trackList.name, member, arguments)
  }

  /// A method of our own.
  @discardableResult
  func agent(_ call: AgentCall) throws -> [WireValue] {
    try self.call(AgentDescriptions.path, call.interface, call.member, call.arguments)
  }

  /// Nothing but round trips: what the agent and its player sent before their answers has come when this returns.
  func sync() throws {
    for path in [AgentDescriptions.path, MPRISDescriptions.path] {
      try call(path, StandardInterfaces.peer.name, "Ping")
    }
  }

  // MARK: Properties

  func get(
    _ name: String, of interface: InterfaceName = MPRISDescriptions.player.name
  ) throws -> WireValue {
    let reply = try call(
      MPRISDescriptions.path, StandardInterfaces.properties.name, "Get", .arguments(interface.text, name))
    return try reply.decoded(as: WireValue.self)
  }

  func set(
    _ name: String, _ value: WireValue, of interface: InterfaceName = MPRISDescriptions.player.name
  ) throws {
    try call(
      MPRISDescriptions.path, StandardInterfaces.properties.name, "Set",
      .arguments(interface.text, name, value))
  }

  func all(of interface: InterfaceName = MPRISDescriptions.player.name) throws -> [String: WireValue] {
    try call(
      MPRISDescriptions.path, StandardInterfaces.properties.name, "GetAll", .arguments(interface.text)
    ).decoded(as: [String: WireValue].self)
  }

  /// The current track's dictionary.
  func metadata() throws -> [String: WireValue] {
    try #require([String: WireValue](wire: get("Metadata")))
  }

  // MARK: Signals

  var signals: [BusSignal] { heard.all }
  func forgetSignals() { heard.forget() }

  /// What MPRIS's object told while a body ran, and in the round trip after it.
  func news(during body: () throws -> Void) throws -> [BusSignal] {
    try sync()
    forgetSignals()
    try body()
    try sync()
    return signals.filter { $0.path == MPRISDescriptions.path }
  }

  /// Waits until the signals, or what else can be asked, are as expected; looks again after each signal.
  func wait(for what: String, within patience: Duration = .patience, _ check: () throws -> Bool) throws {
    let deadline = Deadline.after(patience)
    while try !check() {
      if !heard.waitForNext(until: deadline) {
        throw KitError("no \(what) within \(patience); heard: \(signals.map(\.member.text))")
      }
    }
  }

  /// Waits until a property has a value.
  func wait(for name: String, _ value: WireValue) throws {
    try wait(for: "\(name) \(value)") { try get(name) == value }
  }
}
