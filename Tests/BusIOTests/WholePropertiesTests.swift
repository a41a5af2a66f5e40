// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FermataTestKit
import Testing

@testable import BusIO

@Suite("All properties at once", .serialized)
struct WholePropertiesTests {
  /// An object of which one property moves by itself.
  @AgentLoop
  private final class Moving {
    nonisolated static let path: ObjectPath = "/org/fermata/Moving"
    nonisolated static let name: InterfaceName = "org.fermata.Moving1"
    var place: Int64 = 0
    var edition: UInt64 = 0
    var readings = 0
    var rest: [DictionaryEntry] = []

    func interface(moving name: MemberName) -> BusInterface {
      var interface = BusInterface(
        InterfaceDescription(Self.name, properties: [PropertyDescription(name, .int64)]))
      interface.provide(name, get: { [self] in .int64(place) })
      interface.provide(
        WholeProperties(moving: name, value: { [self] in place }, edition: { [self] in edition }) { [self] in
          readings += 1
          return rest
        })
      return interface
    }
  }

  @Test(
    "whatever the name and whatever else there is, each answer has the number of its moment",
    arguments: ["P", "Place", "Position", "LongPosition", "PositionOfTheListener"] as [MemberName])
  func answers(name: MemberName) async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let moving = Moving()
      stage.server.export([moving.interface(moving: name)], at: Moving.path)
      let owner = stage.owner
      let target = BusTarget(owner, Moving.path, StandardInterfaces.properties.name, "GetAll")
      var random = WireRandom(seed: 61)
      for round in 0..<200 {
        if round % 5 == 0 {
          moving.edition += 1
          moving.rest = (0..<random.below(20)).map { index in
            DictionaryEntry(.string("Other\(index)"), .variant(random.value(of: random.type(depth: 2))))
          }
        }
        moving.place = [Int64(round), .min, .max, -1, 0][random.below(5)]
        let reply = try await stage.client.call(target, .arguments(Moving.name.text))
        let first = DictionaryEntry(.string(name.text), .variant(.int64(moving.place)))
        #expect(reply == [.dictionary(.string, .variant, [first] + moving.rest)])
      }
      #expect(moving.readings == 40, "read once an edition")
    }
  }

  @Test("what cannot travel is answered as any other, and who asks for all interfaces gets all")
  func fallback() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let moving = Moving()
      moving.rest = [DictionaryEntry(.string("Text"), .variant(.string("a\0b")))]
      stage.server.export([moving.interface(moving: "Position")], at: Moving.path)
      let target = BusTarget(stage.owner, Moving.path, StandardInterfaces.properties.name, "GetAll")
      await #expect(throws: BusError.self) {
        try await stage.client.call(target, .arguments(Moving.name.text))
      }
      moving.rest = []
      moving.edition = 1
      moving.place = 7
      for name in ["", Moving.name.text] {
        let reply = try await stage.client.call(target, .arguments(name))
        #expect(try reply.decoded(as: [String: WireValue].self) == ["Position": WireValue.int64(7)])
      }
    }
  }
}
