// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// The agent on a server with sinks and cards, what it tells, and what is heard.
final class RouteStage {
  let stage: AgentStage
  let events: EventLog
  private(set) var server: any SoundServer
  private(set) var ears: Ears
  private var cards: [String: any VirtualCard] = [:]

  // Made once: a minute of sound takes a while.
  private static let tone: [UInt8] = {
    let format = AudioFormat(rate: 22_050, channels: 1)
    return WAVFile.bytes(Tone.sine(frames: 90 * format.rate, format), format)
  }()

  /// Sets the desk up, has sound go to `start`, and starts the agent. Where the user has not chosen that sink the server must
  /// prefer it.
  init(
    _ kind: RouteServer, sinks: [NullSink], cards layouts: [CardLayout] = [],
    modules: [PulseModule] = .usual, filters: [RouteRow.Filter] = [], start: String, isChosen: Bool = true
  ) throws {
    // A server that is started with sinks has the first of them chosen.
    server = try kind.start(sinks: isChosen ? sinks : [], modules: modules)
    if !isChosen { for sink in sinks { try server.load(sink: sink) } }
    ears = try Ears(server)
    for layout in layouts { cards[layout.name] = try Self.insert(layout, into: server) }
    for filter in filters { try server.control.load(filter.module, filter.arguments) }
    // PipeWire answers before a filter's sink is there.
    try server.control.wait(for: "the sink \(start)") { $0.sink(named: start) != nil }
    if isChosen { try server.control.setDefaultSink(start) }
    try server.control.wait(for: "\(start) as the default") { $0.server.defaultSink == start }
    stage = try AgentStage(server)
    events = try EventLog(stage)
  }

  /// Ends everything. Throws when the server had died of itself.
  func stop() throws {
    try stage.stop()
    try server.stop()
  }

  // MARK: The music

  /// Plays, and returns when it is heard on a sink; what is told and heard counts from then on.
  func play(on sink: String) throws {
    try stage.play(try stage.folder.write("tone.wav", Self.tone))
    try ears.waitForSound(on: sink)
    // What moves a stream in its first moments only says where it begins.
    try ears.listen(for: .milliseconds(300))
    count()
  }

  /// What is told and heard counts from now on.
  func count() {
    events.forget()
    ears.mark()
  }

  /// A text of `fermata status --json`.
  func status(_ name: String) throws -> String? {
    let text = try Child.run(.beside("fermata"), ["status", "--json"], environment: stage.environment)
    return EventLog.text(name, in: text)
  }

  // MARK: The desk

  func card(_ layout: CardLayout) throws -> any VirtualCard {
    try #require(cards[layout.name], "\(layout.name) is not on this stage")
  }

  func insert(_ layout: CardLayout) throws {
    cards[layout.name] = try server.insert(layout)
  }

  /// Plugs it in, and waits until the server has turned to that sink of it. WirePlumber 0.4 at times decides before it knows the
  /// sink whole, and leaves it at that: then the card says once more what is plugged in, which has it decide anew.
  func insert(_ layout: CardLayout, turningTo sink: String) throws {
    try insert(layout)
    let ports = Dictionary(uniqueKeysWithValues: layout.ports.map { ($0.name, $0.availability) })
    try insist(on: "\(sink) as the default", by: { try card(layout).setAvailable(ports) }) {
      $0.server.defaultSink == sink
    }
  }

  private static func insert(_ layout: CardLayout, into server: any SoundServer) throws -> any VirtualCard {
    let card = try server.insert(layout)
    let plugged = layout.ports.first { $0.availability == .yes }?.name
    try server.control.wait(for: "\(layout.name) as it was plugged in") { world in
      let active = world.cards.first { $0.name == layout.name }?.activeProfile
      let profile = layout.profiles.first { $0.name == active }
      guard let sink = profile?.sink.flatMap(world.sink(named:)) else { return false }
      return plugged.map { profile?.ports.contains($0) == true && sink.activePort == $0 } ?? true
    }
    return card
  }

  /// Turns the Bluetooth headset to another profile. WirePlumber 0.4 at times overlooks a sink whose ports it has not read yet, so
  /// that nothing would turn to it: it is made the default.
  func turnHeadset(to profile: String) throws {
    let sink = "bluetooth.\(profile)"
    try card(.bluetoothHeadset).setProfile(profile)
    try server.control.wait(for: sink) { $0.sink(named: sink) != nil }
    try server.control.setDefaultSink(sink)
  }

  /// Moves what plays, or the stream of this name, as the user would. PipeWire at times answers yes and does nothing, so it is asked again.
  func moveStream(to name: String, named stream: String? = nil) throws {
    let world = try server.control.world()
    let playing = world.sinkInputs.first { input in stream.map { input.name == $0 } ?? !input.isCorked }
    let stream = try #require(playing?.index, "nothing plays")
    let target = world.sink(named: name)?.index
    let move = { try self.server.control.move(stream, toSink: name) }
    try move()
    try insist(on: "the music on \(name)", by: move) { $0.sinkInput(stream)?.sink == target }
  }

  /// Waits until the server shows it, and asks it again each second that it does not.
  private func insist(
    on what: String, by asking: () throws -> Void, _ isMet: @Sendable @escaping (AudioWorld) -> Bool
  ) throws {
    let deadline = Deadline.patient
    while (try? server.control.wait(for: what, within: .seconds(1), isMet)) == nil {
      if deadline.hasPassed { throw KitError("the server does not come to \(what)") }
      try asking()
    }
  }

  /// Kills the server as a crash would.
  func crashServer() {
    server.crash()
    cards = [:]
  }

  /// Starts the next server at the same address, with these sinks.
  func restartServer(sinks: [NullSink]) throws {
    server = try server.successor(sinks: sinks)
    ears = try Ears(server)
  }

  // MARK: What must be so

  /// The changes that were told are these and no others.
  func expectReasons(_ reasons: [String], at location: SourceLocation = #_sourceLocation) {
    #expect(
      events.reasons == reasons, "the agent told:\n\(events.text)\nthe server has \(scene)",
      sourceLocation: location)
  }

  /// What the server shows, for a failure's message.
  private var scene: String {
    guard let world = try? server.control.world() else { return "nothing to say" }
    let sinks = world.sinks.map { "\($0.name) (\($0.index.rawValue), \($0.activePort ?? "no port"))" }
    let streams = world.sinkInputs.map { stream in
      let sink = stream.sink.map { "sink \($0.rawValue)" } ?? "no sink"
      return "\(stream.index.rawValue) on \(sink)\(stream.isCorked ? ", corked" : "")"
    }
    return "the default \(world.server.defaultSink), the sinks \(sinks.joined(separator: ", ")), the streams "
      + streams.joined(separator: ", ")
  }

  /// The music pauses and stays so for more than a second, and hardly anything of it was heard on what is there.
  func expectSilence(at location: SourceLocation = #_sourceLocation) throws {
    try stage.waitForStatus("Paused")
    try ears.listen(for: .milliseconds(1_200))
    let loud = ears.heard.filter { $0.value >= .milliseconds(100) }
    #expect(loud.isEmpty, "sound after the loss", sourceLocation: location)
    #expect(stage.playerctl("status") == "Paused", sourceLocation: location)
  }

  /// The music goes on, on this sink.
  func expectSound(on sink: String, at location: SourceLocation = #_sourceLocation) throws {
    try ears.waitForSound(on: sink)
    try ears.listen(for: .milliseconds(1_200))
    try ears.waitForSound(on: sink)
    #expect(stage.playerctl("status") == "Playing", sourceLocation: location)
  }
}
