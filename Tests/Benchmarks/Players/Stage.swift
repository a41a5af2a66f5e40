// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc

/// A private sound server and bus for one program at a time.
final class Stage {
  let server: any SoundServer
  let bus: PrivateBus
  let bench: Bench
  let directory: TemporaryDirectory
  /// What programs on it are started with.
  let environment: [String: String]

  /// Where the music goes.
  let sink: String
  private let card: (any VirtualCard)?

  init(
    _ bench: Bench, _ server: any SoundServer, card: (any VirtualCard)? = nil, sink: String = "speakers"
  ) throws {
    self.bench = bench
    self.server = server
    self.card = card
    self.sink = sink
    bus = try PrivateBus()
    directory = try TemporaryDirectory()
    environment = server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
  }

  /// One with a PulseAudio and a card, whose sink behaves as hardware does: it renders up to two seconds ahead, and takes back
  /// what is not played yet. PulseAudio's own null sink, where it may take back, now and then swallows minutes at once.
  static func card(_ bench: Bench) throws -> Stage {
    let pulse = try PrivatePulse()
    let card = try pulse.insert(.laptop())
    try pulse.control.setDefaultSink("laptop")
    return try Stage(bench, pulse, card: card, sink: "laptop")
  }

  /// One with a PulseAudio whose sink loses no sample, to count them.
  static func counting(_ bench: Bench, rate: Int) throws -> Stage {
    try Stage(bench, PrivatePulse(sinks: [NullSink("speakers", rate: rate)]))
  }

  deinit { try? server.stop() }

  /// The server's process.
  var serverProcess: Int32? {
    ["pulseaudio", "pipewire-pulse"].lazy
      .flatMap { ProcessTable.children(of: getpid(), named: $0) }.first
  }

  /// Waits until a program's stream plays, or is silent.
  func wait(untilSounding isSounding: Bool) throws {
    try server.control.wait(
      for: isSounding ? "a stream that plays" : "silence", within: .seconds(10)
    ) { world in world.sinkInputs.contains { !$0.isCorked && $0.sink != nil } == isSounding }
  }

  /// Our player: the program where there is one, else the engine alone.
  var ours: any Player.Type { bench.program == nil ? EnginePlayer.self : ProgramPlayer.self }
  /// Ours, and others that are installed.
  var players: [any Player.Type] { [ours] + others }
  /// Others that are installed.
  var others: [any Player.Type] {
    [Mpg123.self, Cmus.self].filter { (try? Program.named($0.name, package: $0.name)) != nil }
  }
}
