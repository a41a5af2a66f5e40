// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// A native player of PipeWire that goes to another output, and what else sounds meanwhile. Nobody records here: a monitor that is recorded
/// keeps its output running, and then PipeWire reports even less of such a move.
struct NativeMove: Sendable, CustomTestStringConvertible {
  /// Outputs on which something else sounds all the time.
  let busy: [String]
  /// Whether the user chooses another default output, and not one for this player.
  let isByDefault: Bool

  var testDescription: String {
    "\(isByDefault ? "by the default" : "by hand"), while \(busy.isEmpty ? "nothing else sounds" : "\(busy) sound")"
  }

  /// All that PipeWire tells something of: that another output is the default, or that one of the two runs now or rests. Of a player that is
  /// moved by itself while both sound anyway, nobody is told.
  static let all = [[], ["speakers"], ["headset"], ["headset", "speakers"]].flatMap { busy in
    (busy.count == 2 ? [true] : [true, false]).map { NativeMove(busy: busy, isByDefault: $0) }
  }
}

@Suite("The guard and native players of PipeWire that move", .serialized, .realTime, .endsAnyway)
struct GuardMoveTests {
  @Test("off the headset, which goes later: left alone", arguments: NativeMove.all)
  func away(_ move: NativeMove) throws {
    let desk = try NativeDesk(move.busy, start: "headset")
    try desk.move(move, to: "speakers")
    try desk.headset.remove()
    try desk.server.control.wait(for: "the end of the headset") { $0.sink(named: "headset") == nil }
    try desk.wait(.milliseconds(1_500))
    #expect(desk.events.guards.isEmpty)
    try desk.stop()
  }

  @Test("to the headset, which goes later: paused", arguments: NativeMove.all)
  func there(_ move: NativeMove) throws {
    let desk = try NativeDesk(move.busy, start: "speakers")
    try desk.move(move, to: "headset")
    try desk.headset.remove()
    desk.events.wait(forGuards: 1)
    #expect(desk.events.guards == ["mpv paused"], "\(desk.stage.agent.standardError)")
    try desk.stop()
  }
}

/// PipeWire with loudspeakers and a USB headset, an agent, and mpv, which plays without PulseAudio's protocol.
private final class NativeDesk {
  let server: PrivatePipeWire
  let headset: any VirtualCard
  let stage: AgentStage
  let events: EventLog
  private let player: Child
  private let others: [OtherStream]

  init(_ busy: [String], start: String) throws {
    try RealPlayer.mpv.skipIfMissing()
    let server = try PrivatePipeWire(sinks: ["speakers"])
    headset = try server.insert(.usbHeadset)
    try server.control.wait(for: "the headset") { $0.sink(named: "headset") != nil }
    try server.control.setDefaultSink(start)
    try server.control.wait(for: "\(start) as the default") { $0.server.defaultSink == start }
    stage = try AgentStage(server)
    events = try EventLog(stage)
    let format = AudioFormat(rate: 48_000, channels: 2)
    // Short sounds are no players. These are long, and silent.
    let silence = Tone.silence(frames: 60 * format.rate, format)
    others = try busy.map { try server.play(silence, format, on: $0, properties: ["media.role": "event"]) }
    player = try Child(
      .named("mpv", package: "mpv"),
      ["--no-video", "--no-terminal", "--ao=pipewire", "--loop=inf", stage.makeTone()],
      environment: server.environment.merging(stage.environment) { $1 }
        .merging(["XDG_RUNTIME_DIR": server.environment["XDG_RUNTIME_DIR"] ?? ""]) { $1 })
    self.server = server
    try waitUntilLinked(to: start)
    try wait(.seconds(1))
  }

  /// Lets so much time pass.
  func wait(_ time: Duration) throws {
    guard stage.agent.exit(until: .after(time)) == nil else { throw KitError("the agent ended") }
  }

  func stop() throws {
    player.kill()
    try stage.stop()
  }

  /// Moves the player, and waits until long after that.
  func move(_ move: NativeMove, to sink: String) throws {
    if move.isByDefault {
      try server.control.setDefaultSink(sink)
    } else {
      try server.control.move(try #require(stream(in: server.control.world())).index, toSink: sink)
    }
    try waitUntilLinked(to: sink)
    try wait(.seconds(2))
    try waitUntilLinked(to: sink)
    events.forget()
  }

  private func stream(in world: AudioWorld) -> SinkInput? {
    world.sinkInputs.first { $0.name.hasSuffix("mpv") }
  }

  /// Asks again and again, since the server does not tell of it.
  private func waitUntilLinked(to sink: String) throws {
    let deadline = Deadline.patient
    while true {
      try player.check()
      let world = try server.control.world()
      let place = stream(in: world)?.sink.flatMap(world.sink)?.name
      if place == sink { return }
      if deadline.hasPassed { throw KitError("mpv is on \(place ?? "nothing"), not on \(sink)") }
      try wait(.milliseconds(10))
    }
  }
}
