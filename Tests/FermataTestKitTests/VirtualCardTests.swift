// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// One conformance suite, run on both servers.
@Suite("A virtual card")
struct VirtualCardTests {
  enum Server: CaseIterable {
    case pulseAudio, pipeWire

    func start(sinks: [NullSink] = ["desk"]) throws -> any SoundServer {
      switch self {
      case .pulseAudio: try PrivatePulse(sinks: sinks)
      case .pipeWire: try PrivatePipeWire(sinks: sinks)
      }
    }
  }

  @Test("shows a laptop's sink with both ports, the headphones in use", arguments: Server.allCases)
  func laptop(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.laptop())
    let world = try server.control.wait(for: "the headphones in use") {
      $0.sink(named: "laptop")?.activePort == "headphones"
    }
    let ports = try #require(world.sink(named: "laptop")?.ports)
    #expect(
      Dictionary(uniqueKeysWithValues: ports.map { ($0.name, $0.kind) }) == [
        "speaker": .speaker, "headphones": .headphones,
      ])
    #expect(ports.first { $0.name == "headphones" }?.availability == .yes)
    #expect(ports.first { $0.name == "speaker" }?.availability == .no)
    #expect(world.sink(named: "laptop")?.card == world.cards.first { $0.name == card.layout.name }?.index)
    try server.stop()
  }

  // The same belongs to PulseIO's tests, asked of its own snapshot.
  @Test(
    "the jack goes out, and the snapshot says so; it comes back, and it says that", arguments: Server.allCases
  )
  func jack(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.laptop())
    try card.setAvailable(["headphones": .no, "speaker": .unknown])
    let out = try server.control.wait(for: "the speaker in use") {
      $0.sink(named: "laptop")?.activePort == "speaker"
    }
    let inCard = out.cards.first { $0.name == card.layout.name }?.ports.first { $0.name == "headphones" }
    #expect(inCard?.availability == .no)
    #expect(out.sink(named: "laptop")?.ports.first { $0.name == "headphones" }?.availability == .no)
    try card.setAvailable(["headphones": .yes, "speaker": .no])
    try server.control.wait(for: "the headphones in use again") {
      $0.sink(named: "laptop")?.active?.kind == .headphones
    }
    try server.stop()
  }

  @Test("the user can choose the port", arguments: Server.allCases)
  func route(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.laptop())
    try server.control.wait(for: "the headphones") { $0.sink(named: "laptop")?.activePort == "headphones" }
    try card.setRoute("speaker")
    try server.control.wait(for: "the chosen port") { $0.sink(named: "laptop")?.activePort == "speaker" }
    try server.stop()
  }

  @Test("a Bluetooth headset changes its sink with its profile", arguments: Server.allCases)
  func profile(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.bluetoothHeadset)
    #expect(try server.control.world().sink(named: "bluetooth.a2dp") != nil)
    try card.setProfile("hfp")
    try server.control.wait(for: "the sink for calls") {
      $0.sink(named: "bluetooth.hfp") != nil && $0.sink(named: "bluetooth.a2dp") == nil
    }
    try card.setProfile("off")
    try server.control.wait(for: "no sink, but the card") {
      $0.sink(named: "bluetooth.hfp") == nil && $0.cards.first?.activeProfile == "off"
    }
    try server.stop()
  }

  @Test("pulled out, it is gone whole", arguments: Server.allCases)
  func remove(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.usbHeadset)
    #expect(try server.control.world().cards.map(\.name) == ["card.usb"])
    try card.remove()
    try server.control.wait(for: "the end of the card") {
      $0.cards.isEmpty && $0.sinks.map(\.name) == ["desk"]
    }
    try server.stop()
  }

  @Test("a display unplugged takes its profile's availability along", arguments: Server.allCases)
  func hdmi(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.hdmi())
    try card.setAvailable(["hdmi-output": .no])
    try server.control.wait(for: "an unavailable profile") { world in
      world.cards.first?.profiles.first { $0.name == "hdmi-stereo" }?.isAvailable == false
    }
    try server.stop()
  }

  @Test("a port that the card does not have is refused", arguments: Server.allCases)
  func unknownPort(kind: Server) throws {
    let server = try kind.start()
    let card = try server.insert(.laptop())
    #expect(throws: KitError.self) { try card.setAvailable(["no-such": .no]) }
    try server.stop()
  }

  @Test(
    "where the server's source cannot be fetched that has a status of its own, and the network is asked once")
  func unavailable() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("bin")
    let tool = try folder.write("bin/apt-get", "#!/bin/sh\necho \"$*\" >>\"$0.log\"\nexit 100\n")
    try Child.run(.named("chmod", package: "coreutils"), ["755", tool])
    let tree = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let path = "\(folder.path("bin")):/usr/bin:/bin"
    for _ in 1...2 {
      let child = try Child(
        Program(path: "\(tree)/Tests/VirtualCard/build.sh"), ["pulse", folder.path("built")],
        environment: ["PATH": path])
      #expect(child.exit(until: .patient) == .exited(69))
      #expect(child.standardError.contains("offers the source of pulseaudio="), "\(child.standardError)")
    }
    let log = try Child.run(.named("cat", package: "coreutils"), ["\(tool).log"])
    #expect(log.split(separator: "\n").count == 2, "an update, and the source: \(log)")
  }
}
