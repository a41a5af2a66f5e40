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
    modules: [PulseModule] = .usual, start: String, isChosen: Bool = true
  ) throws {
    // A server that is started with sinks has the first of them chosen.
    server = try kind.start(sinks: isChosen ? sinks : [], modules: modules)
    if !isChosen { for sink in sinks { try server.load(sink: sink) } }
    ears = try Ears(server)
    for layout in layouts { cards[layout.name] = try Self.insert(layout, into: server) }
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

  /// Moves the music, as the user would. PipeWire at times answers yes and does nothing, so it is asked again.
  func moveStream(to name: String) throws {
    let control = server.control
    let deadline = Deadline.after(.seconds(10))
    while true {
      let world = try control.world()
      let stream = try #require(world.sinkInputs.first { !$0.isCorked }, "nothing plays")
      try control.move(stream.index, toSink: name)
      let target = world.sink(named: name)?.index
      let arrival = try? control.wait(for: "the music on \(name)", within: .seconds(1)) {
        $0.sinkInput(stream.index)?.sink == target
      }
      if arrival != nil { return }
      if deadline.hasPassed { throw KitError("the music does not move to \(name)") }
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
    #expect(events.reasons == reasons, "the agent told:\n\(events.text)", sourceLocation: location)
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
