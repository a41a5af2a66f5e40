// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import Testing

@Suite("MPRIS: errors and introspection", .serialized, .realTime, .endsAnyway, .sharedStage)
struct ErrorTests {
  private static let player = MPRISDescriptions.player.name
  private static let properties = StandardInterfaces.properties.name

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let call: BurstCall
    let error: BusError.Name
    var testDescription: String { name }

    init(
      _ name: String, at path: ObjectPath = MPRISDescriptions.path, _ interface: InterfaceName,
      _ member: MemberName, _ arguments: [WireValue] = [], error: BusError.Name
    ) {
      self.name = name
      call = BurstCall(path: path, interface: interface, member: member, arguments: arguments)
      self.error = error
    }
  }

  private static let interface = WireValue.string(player.text)

  static let rows = [
    Row("a method that there is not", player, "Fly", error: .unknownMethod),
    Row("a method of another interface", MPRISDescriptions.root.name, "Next", error: .unknownMethod),
    Row("names are case-sensitive", player, "next", error: .unknownMethod),
    Row("an interface that there is not", "org.mpris.MediaPlayer2.Radio", "Next", error: .unknownInterface),
    Row("an object that there is not", at: "/org/mpris/MediaPlayer3", player, "Next", error: .unknownObject),
    Row("the root object has no player", at: "/", player, "Next", error: .unknownInterface),
    Row("a node on the way has no player", at: "/org/mpris", player, "Next", error: .unknownInterface),
    Row("an argument too many", player, "Next", [.int32(1)], error: .invalidArgs),
    Row("an argument too few", player, "Seek", error: .invalidArgs),
    Row("an argument of another type", player, "Seek", [.int32(1)], error: .invalidArgs),
    Row("a number as text", player, "Seek", [.string("1")], error: .invalidArgs),
    Row(
      "arguments the wrong way round", player, "SetPosition", [.int64(1), .objectPath("/a")],
      error: .invalidArgs),
    Row("a track as text", player, "SetPosition", [.string("/a"), .int64(1)], error: .invalidArgs),
    Row("a variant instead of a value", player, "Seek", [.variant(.int64(1))], error: .invalidArgs),
    Row(
      "a property that there is not", properties, "Get", [interface, .string("Colour")],
      error: .unknownProperty),
    Row(
      "a property's name in small letters", properties, "Get", [interface, .string("volume")],
      error: .unknownProperty),
    Row("a property of no name", properties, "Get", [interface, .string("")], error: .unknownProperty),
    Row(
      "a property of another interface", properties, "Get", [interface, .string("Identity")],
      error: .unknownProperty),
    Row(
      "an interface without properties there", properties, "GetAll", [.string("a.b")],
      error: .unknownInterface),
    Row("no interface's name", properties, "GetAll", [.string("no name at all")], error: .unknownInterface),
    Row("Get without a property", properties, "Get", [interface], error: .invalidArgs),
    Row(
      "Set without a variant", properties, "Set", [interface, .string("Volume"), .double(1)],
      error: .invalidArgs),
    Row(
      "Set of what there is not", properties, "Set", [interface, .string("X"), .variant(.byte(1))],
      error: .unknownProperty),
    Row(
      "Set of what can be read only", properties, "Set",
      [interface, .string("Metadata"), .variant(.byte(1))], error: .propertyReadOnly),
    Row("OpenUri of nothing", player, "OpenUri", [.string("")], error: .invalidArgs),
    Row(
      "OpenUri of another scheme", player, "OpenUri", [.string("http://example.org/a.mp3")],
      error: .invalidArgs),
    Row("OpenUri of a path", player, "OpenUri", [.string("/tmp/a.mp3")], error: .invalidArgs),
    Row("OpenUri of a relative path", player, "OpenUri", [.string("file:a.mp3")], error: .invalidArgs),
    Row(
      "OpenUri on another machine", player, "OpenUri", [.string("file://elsewhere/a.mp3")],
      error: .invalidArgs),
    Row("OpenUri with a NUL", player, "OpenUri", [.string("file:///a%00b")], error: .invalidArgs),
    Row(
      "OpenUri of a file that is not there", player, "OpenUri", [.string("file:///nowhere/a.mp3")],
      error: "org.fermata.Error.NoSuchFile"),
  ]

  @Test("what cannot be is answered by the error's own name, and changes nothing", arguments: rows)
  func error(row: Row) throws {
    let (stage, client, _) = try mprisStage(.playing)
    let call = row.call
    let news = try client.news {
      let error = client.error { try client.call(call.path, call.interface, call.member, call.arguments) }
      #expect(error == row.error)
    }
    #expect(news.isEmpty)
    #expect(try stage.status() == "Playing")
  }

  static let files =
    MPRISDescriptions.all.filter { $0.name != MPRISDescriptions.playlists.name }
    .map { (MPRISDescriptions.path, $0.name) }
    + AgentDescriptions.all.map { (AgentDescriptions.path, $0.name) }

  @Test("Introspect has each interface as its file has it", arguments: files)
  func introspect(path: ObjectPath, name: InterfaceName) throws {
    let (_, client, _) = try mprisStage(.empty)
    let reply = try client.call(path, StandardInterfaces.introspectable.name, "Introspect")
    let document = try reply.decoded(as: String.self)
    let own = try #require(Self.element(name, in: document))
    let file = try #require(Self.element(name, in: Self.text("\(Self.folder)/\(name).xml")))
    #expect(own == file)
  }

  /// An interface as it stands in a document, line by line, without the space before.
  private static func element(_ name: InterfaceName, in document: String) -> [String]? {
    let lines = document.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    guard let start = lines.firstIndex(of: "<interface name=\"\(name)\">") else { return nil }
    return Array(lines[start...].prefix { $0 != "</interface>" })
  }

  private static let folder =
    #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/dbus"

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
