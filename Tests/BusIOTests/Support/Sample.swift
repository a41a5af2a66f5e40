// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit

/// An object that has one of everything.
@AgentLoop
final class Sample {
  nonisolated static let path: ObjectPath = "/org/fermata/Sample"
  nonisolated static let name: InterfaceName = "org.fermata.Sample1"

  var volume = 0.5
  var calls: [MethodCall] = []
  var answerLater: (@AgentLoop () async throws -> [WireValue]) = { [] }

  nonisolated static let description = InterfaceDescription(
    name,
    methods: [
      MethodDescription(
        "Echo", in: [ArgumentDescription("value", .variant)], out: [ArgumentDescription("value", .variant)]),
      MethodDescription(
        "Number", in: [ArgumentDescription("n", .uint32)], out: [ArgumentDescription("n", .uint32)]),
      MethodDescription(
        "Pair", in: [ArgumentDescription("a", .string), ArgumentDescription("b", "a{sv}")],
        out: [ArgumentDescription("b", "a{sv}"), ArgumentDescription("a", .string)]),
      MethodDescription("Later"), MethodDescription("Fail"),
      MethodDescription("Lie", out: [ArgumentDescription("n", .uint32)]),
    ],
    signals: [SignalDescription("Happened", [ArgumentDescription("text", .string)])],
    properties: [
      PropertyDescription("Volume", .double, .readWrite),
      PropertyDescription("Identity", .string, changes: .never),
      PropertyDescription("Broken", .string), PropertyDescription("Wrong", .string),
    ])

  func interface() -> BusInterface {
    var interface = BusInterface(Self.description)
    interface.answer("Echo") { call in .now(call.arguments) }
    interface.answer("Number") { [self] call in
      calls.append(call)
      return .now(call.arguments)
    }
    interface.answer("Pair") { call in
      let (text, table) = try call.decoded(as: String.self, [String: WireValue].self)
      return .now(.arguments(table, text))
    }
    interface.answer("Later") { [self] _ in .later { try await self.answerLater() } }
    interface.answer("Fail") { _ in throw BusError("org.fermata.Error.Sample", "it's \0 broken") }
    interface.answer("Lie") { _ in .value("no number") }
    interface.provide("Volume", get: { [self] in .double(volume) }) { [self] value, _ in
      guard let volume = Double(wire: value), volume >= 0 else { throw BusError.invalidArguments("below 0") }
      self.volume = volume
      return .done
    }
    interface.provide("Identity", get: { .string("Sample") })
    interface.provide("Broken", get: { throw BusError.failed("broken") })
    interface.provide("Wrong", get: { .byte(1) })
    return interface
  }
}

extension BusTarget {
  /// A method of the sample that a connection exports.
  static func sample(_ owner: BusName, _ member: MemberName, _ interface: InterfaceName = Sample.name)
    -> BusTarget
  {
    BusTarget(owner, Sample.path, interface, member)
  }
}

extension BusConnection {
  /// Gives a name back.
  func releaseName(_ name: BusName) async throws(BusError) {
    let bus = BusTarget(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReleaseName")
    _ = try await call(bus, .arguments(name.text))
  }
}

/// A bus, a connection that exports a sample, and one that asks.
@AgentLoop
struct Stage {
  let bus: PrivateBus
  let server: BusConnection
  let client: BusConnection
  let sample: Sample
  let owner: BusName

  init(limits: BusLimits = BusLimits()) async throws {
    bus = try PrivateBus()
    server = try await bus.connect(limits: limits)
    client = try await bus.connect()
    sample = Sample()
    guard let owner = server.uniqueName else { throw KitError("no name") }
    self.owner = owner
    server.export([sample.interface()], at: Sample.path)
  }

  func call(
    _ member: MemberName, _ arguments: [WireValue] = [], _ interface: InterfaceName = Sample.name
  ) async throws(BusError) -> [WireValue] {
    try await client.call(.sample(owner, member, interface), arguments, timeout: .patience)
  }

  /// What a call fails with.
  func failure(
    _ member: MemberName, _ arguments: [WireValue] = [], _ interface: InterfaceName = Sample.name
  ) async -> BusError? {
    do throws(BusError) {
      _ = try await call(member, arguments, interface)
      return nil
    } catch {
      return error
    }
  }
}
