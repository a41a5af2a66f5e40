// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import Testing

@Suite("MPRIS's root interface", .serialized, .realTime, .endsAnyway, .sharedStage)
struct RootTests {
  private static let root = MPRISDescriptions.root.name

  struct Property: Sendable, CustomTestStringConvertible {
    let name: String
    let value: WireValue
    var testDescription: String { name }
  }

  static let properties = [
    Property(name: "CanQuit", value: .boolean(true)), Property(name: "CanRaise", value: .boolean(false)),
    Property(name: "HasTrackList", value: .boolean(true)),
    Property(name: "Identity", value: .string("fermata")),
    Property(name: "DesktopEntry", value: .string("fermata")),
    Property(name: "SupportedUriSchemes", value: .array(.string, [.string("file")])),
  ]

  @Test("a property has its value, by Get and by GetAll", arguments: properties)
  func value(property: Property) throws {
    let (_, client, _) = try mprisStage(.empty)
    #expect(try client.get(property.name, of: Self.root) == property.value)
    #expect(try client.all(of: Self.root)[property.name] == property.value)
  }

  @Test(
    "what is played is among the types",
    arguments: ["audio/mpeg", "audio/flac", "audio/ogg", "audio/x-vorbis+ogg", "audio/x-wav", "audio/opus"])
  func types(type: String) throws {
    let (_, client, _) = try mprisStage(.empty)
    let types = try #require([String](wire: client.get("SupportedMimeTypes", of: Self.root)))
    #expect(types.contains(type))
    #expect(Set(types).count == types.count)
  }

  @Test(
    "nothing else is there, and none of it can be set",
    arguments: MPRISDescriptions.root.properties.map(\.name))
  func whole(name: MemberName) throws {
    let (_, client, _) = try mprisStage(.empty)
    #expect(try client.all(of: Self.root).count == MPRISDescriptions.root.properties.count)
    let value = try client.get(name.text, of: Self.root)
    #expect(client.error { try client.set(name.text, value, of: Self.root) } == .propertyReadOnly)
  }

  @Test("Raise is answered and does nothing")
  func raise() throws {
    let (stage, client, _) = try mprisStage(.playing)
    let news = try client.news { try client.call(MPRISDescriptions.path, Self.root, "Raise") }
    #expect(news.isEmpty)
    #expect(try stage.status() == "Playing")
  }

  @Test("Quit is answered, and ends it in order")
  func quit() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let client = try MPRISClient(stage.bus)
    try client.call(MPRISDescriptions.path, Self.root, "Quit")
    #expect(stage.agent.exit(until: .patient) == .exited(0))
    client.close()
    try stage.server.stop()
  }
}
