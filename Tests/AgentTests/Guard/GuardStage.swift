// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

/// Players that are not ours, on a server with cards, and an agent beside them whose own queue is empty.
final class GuardStage {
  let routes: RouteStage
  private(set) var players: [String: Child] = [:]

  /// Sets the desk up, has sound go to `start`, and starts the agent.
  init(
    _ kind: RouteServer, sinks: [NullSink] = ["speakers"], cards: [CardLayout], start: String,
    isChosen: Bool = true, modules: [PulseModule] = .usual, filters: [RouteRow.Filter] = []
  ) throws {
    routes = try RouteStage(
      kind, sinks: sinks, cards: cards, modules: modules, filters: filters, start: start,
      isChosen: isChosen)
  }

  /// The environment of players: the stage's bus and server, and their own home.
  var environment: [String: String] {
    routes.server.environment.merging(routes.stage.environment) { server, agent in agent }
      .merging(["XDG_RUNTIME_DIR": routes.server.environment["XDG_RUNTIME_DIR"] ?? ""]) { $1 }
      .merging(["PULSE_SOURCE": "microphone"]) { $1 }
  }

  var ears: Ears { routes.ears }

  /// Ends everything. Throws when the server had died of itself.
  func stop() throws {
    for player in players.values { player.kill() }
    try routes.stop()
  }

  // MARK: Players

  /// Starts a player that behaves in some way, and waits until it is heard on a sink. `key` is what the test calls it, if not by
  /// its name on the bus.
  @discardableResult
  func play(
    _ name: String, _ behaviour: String = "obeys", on sink: String, properties: [String] = [],
    as key: String? = nil
  ) throws -> Child {
    let player = try Child(
      .beside("StandInPlayer"), [name, behaviour] + properties,
      environment: environment)
    players[key ?? name] = player
    try waitForSound(of: key ?? name, player, on: sink)
    return player
  }

  /// Starts a player of another project, by the name that it has on the bus, and waits until it says that it plays and a sink is heard.
  ///
  /// On a busy machine Audacious now and then stays stopped when it is started with a file, and no order of anybody is the reason; and a player has said
  /// that it plays, and had no stream on the server. One that does not play is therefore started anew, unless the guard had its hand in this.
  func keep(_ name: String, on sink: String, _ start: () throws -> Child) throws {
    var failure: (any Error)?
    for _ in 1...4 {
      let player = try start()
      players[name] = player
      if try plays(name, by: .after(.seconds(30))) {
        do { return try waitForSound(of: name, player, on: sink) } catch { failure = error }
      }
      if !routes.events.guards.isEmpty { break }
      print("guard: \(name) did not play, and is started anew")
      player.kill()
    }
    throw try failure ?? notPlaying(name)
  }

  private func waitForSound(of name: String, _ player: Child, on sink: String) throws {
    do {
      try ears.waitForSound(on: sink, within: .seconds(30))
    } catch {
      throw KitError("\(name): \(error)\n\(streams)the player says: \(Self.end(of: player))")
    }
    // What moves a stream in its first moments only says where it begins.
    try ears.listen(for: .milliseconds(300))
    routes.count()
  }

  /// The last that a player wrote. One that draws a screen writes without end, and escape sequences.
  private static func end(of player: Child) -> String {
    let words = player.standardError + String(player.standardOutput.suffix(1_000))
    return String(words.unicodeScalars.filter { $0 == "\n" || $0.value >= 0x20 })
  }

  /// The streams and the sinks that the server has, for messages.
  private var streams: String {
    ["sinks", "sink-inputs"].map { kind in
      (try? Child.run(
        .named("pactl", package: "pulseaudio-utils"), ["list", "short", kind], environment: environment))
        ?? ""
    }.joined()
  }

  /// How often a stand-in was told to pause.
  func pauses(of name: String) -> Int {
    players[name]?.standardOutput.split(separator: "\n").count { $0 == "Pause" } ?? 0
  }

  /// What a player says of itself, by its name on the bus; nil if it says nothing.
  func status(of name: String) throws -> String? {
    let playerctl = try Program.named("playerctl", package: "playerctl")
    let answer = try? Child.run(playerctl, ["-p", name, "status"], environment: environment)
    return answer.map { String($0.prefix { $0 != "\n" }) }
  }

  /// Waits until a player says that it plays.
  func waitUntilPlaying(_ name: String) throws {
    if try !plays(name, by: .patient) { throw try notPlaying(name) }
  }

  private func plays(_ name: String, by deadline: Deadline) throws -> Bool {
    while try status(of: name) != "Playing" { if deadline.hasPassed { return false } }
    return true
  }

  private func notPlaying(_ name: String) throws -> KitError {
    KitError(
      """
      \(name) does not say that it plays, but: \(try status(of: name) ?? "nothing")
      told by the guard: \(routes.events.guards); the agent's log: \(routes.stage.agent.standardError)
      \(streams)the player says: \(players[name].map(Self.end) ?? "")
      """)
  }

  /// The stream of a player's process.
  func stream(of name: String) throws -> SinkInput.Index {
    let process = try #require(players[name]).processID
    let text = try Child.run(
      .named("pactl", package: "pulseaudio-utils"), ["list", "sink-inputs"], environment: environment)
    var index: UInt32?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("Sink Input #") { index = UInt32(line.dropFirst("Sink Input #".count)) }
      if line.hasSuffix("application.process.id = \"\(process)\""), let index {
        return SinkInput.Index(rawValue: index)
      }
    }
    throw KitError("\(name) has no stream:\n\(text)")
  }

  // MARK: What must be so

  /// Waits until so many events of the guard were told, and expects these: "player outcome".
  func expect(_ outcomes: [String], at location: SourceLocation = #_sourceLocation) {
    routes.events.wait(forGuards: outcomes.count)
    let orders = players.keys.sorted().map { "\($0) \(pauses(of: $0))" }.joined(separator: ", ")
    #expect(
      routes.events.guards.sorted() == outcomes.sorted(),
      "orders to pause: \(orders)\ntold:\n\(routes.events.text)\nthe log:\n\(routes.stage.agent.standardError)",
      sourceLocation: location)
  }

  /// How long the other sinks, or this one after the jack, have sounded until nothing sounds any more.
  func leak() throws -> Duration {
    try ears.listen(for: .milliseconds(700))
    return ears.heard.values.max() ?? .zero
  }

  /// All is silent within 100 ms of the loss.
  func expectSilence(at location: SourceLocation = #_sourceLocation) throws {
    let leak = try leak()
    #expect(leak < .milliseconds(100), sourceLocation: location)
  }
}
