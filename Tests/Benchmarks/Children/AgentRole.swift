// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import Glibc
import PulseIO

/// What an agent is while nobody wants anything of it: a connection to the sound server, and an object on the bus with as
/// many properties as a player has there.
@AgentLoop
enum AgentRole {
  nonisolated static let busName = "org.mpris.MediaPlayer2.bench"
  private static let path: ObjectPath = "/org/mpris/MediaPlayer2"

  // They live as long as the process.
  private static var server: PulseServer?
  private static var bus: BusConnection?

  static func start() async {
    let server = PulseServer(properties: ["application.name": "fermata-bench"])
    self.server = server
    await withUnsafeContinuation { continuation in
      server.handler = { if case .connected = $0 { continuation.resume() } }
      server.start()
    }
    server.handler = { _ in }
    do {
      let bus = try await BusConnection.open(.session)
      bus.export([player()], at: path)
      _ = try await bus.requestName(BusName(unchecked: busName))
      self.bus = bus
    } catch {
      write("\(error)\n", to: STDERR_FILENO)
      exit(69)
    }
  }

  private static func player() -> BusInterface {
    let values = properties
    var interface = BusInterface(
      InterfaceDescription(
        "org.mpris.MediaPlayer2.Player",
        properties: values.map { PropertyDescription($0.0, $0.1.type) }))
    for (name, value) in values { interface.provide(name, get: { value }) }
    return interface
  }

  // Those of the specification, and a track with the usual tags.
  private static var properties: [(MemberName, WireValue)] {
    let flags: [MemberName] = ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl"]
    let numbers: [MemberName] = ["Rate", "MinimumRate", "MaximumRate", "Volume"]
    return flags.map { ($0, .boolean(true)) } + numbers.map { ($0, .double(1)) } + [
      ("Shuffle", .boolean(false)), ("Position", .int64(61_000_000)),
      ("PlaybackStatus", .string("Playing")), ("LoopStatus", .string("None")), ("Metadata", metadata),
    ]
  }

  private static var metadata: WireValue {
    .properties([
      ("mpris:trackid", .objectPath("/org/fermata/entry/17")), ("mpris:length", .int64(215_000_000)),
      ("mpris:artUrl", .string("file:///var/cache/art/0123456789abcdef.jpg")),
      ("xesam:url", .string("file:///srv/music/Artist/Album/05%20-%20A%20title.mp3")),
      ("xesam:title", .string("A title")), ("xesam:album", .string("Album")),
      ("xesam:artist", ["Artist"].wireValue), ("xesam:albumArtist", ["Artist"].wireValue),
      ("xesam:genre", ["Genre"].wireValue), ("xesam:trackNumber", .int32(5)),
      ("xesam:discNumber", .int32(1)),
    ])
  }
}
