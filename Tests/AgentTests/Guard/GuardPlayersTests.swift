// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

/// A player from Debian.
enum RealPlayer: String, CaseIterable, Sendable {
  case mpv, cmus, audacious, vlc, chromium

  /// What has to be installed for it to play and to have a name on the bus.
  private var needs: [String] {
    switch self {
    case .mpv: ["/usr/bin/mpv", "/etc/mpv/scripts/mpris.so"]
    case .cmus: ["/usr/bin/cmus", "/usr/bin/script"]
    case .audacious: ["/usr/bin/audacious"]
    case .vlc: ["/usr/bin/vlc"]
    case .chromium: ["/usr/bin/chromium"]
    }
  }

  var isInstalled: Bool { needs.allSatisfy { access($0, F_OK) == 0 } }

  /// How long it may be heard on the loudspeakers, with time for a machine that is busy. Chromium's sound goes on for a while after it says
  /// that it has paused.
  var mostLeak: Duration { self == .chromium ? .milliseconds(400) : .milliseconds(150) }

  /// Ends the running test as skipped where the player is not installed.
  func skipIfMissing() throws {
    if !isInstalled { try skipTest(because: "\(self) is not installed: it needs \(needs)") }
  }

  /// Starts it with a file, which it plays again and again.
  func start(_ file: String, _ stage: GuardStage) throws -> Child {
    let environment = stage.environment.merging(["TERM": "xterm", "QT_QPA_PLATFORM": "offscreen"]) { $1 }
    switch self {
    case .mpv:
      return try Child(
        .named("mpv", package: "mpv"), ["--no-video", "--no-terminal", "--loop=inf", file],
        environment: environment)
    case .cmus: return try startCmus(file, stage, environment)
    case .audacious:
      return try Child(
        .named("audacious", package: "audacious"), ["--headless", "--play", file], environment: environment)
    case .vlc:
      return try Child(
        Self.vlc(in: stage.routes.stage.folder),
        ["-I", "dummy", "--control", "dbus", "--aout", "pulse", "--no-video", "--loop", file],
        environment: environment)
    case .chromium: return try startChromium(file, stage, environment)
    }
  }

  /// Chromium plays a page of its own, without a window. `make test` does not install it, since it takes 400 MB.
  private func startChromium(
    _ file: String, _ stage: GuardStage, _ environment: [String: String]
  ) throws -> Child {
    let folder = stage.routes.stage.folder
    let page = try folder.write(
      "page.html", Array("<!doctype html><audio src='\(file)' loop autoplay></audio>".utf8))
    return try Child(
      Program(path: "/usr/bin/chromium"),
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(folder.path("profile"))",
        "file://\(page)",
      ], environment: environment)
  }

  private func startCmus(_ file: String, _ stage: GuardStage, _ environment: [String: String]) throws -> Child
  {
    let socket = stage.routes.stage.folder.path("cmus")
    // cmus and its remote both make these folders where they are missing, and the second one of them fails.
    let settings = environment["XDG_CONFIG_HOME"] ?? stage.routes.stage.folder.path(".config")
    for folder in [settings, "\(settings)/cmus", "\(settings)/cmus/playlists"] { mkdir(folder, 0o700) }
    let child = try Child(
      .named("script", package: "bsdutils"), ["-qc", "exec cmus --listen \(socket)", "/dev/null"],
      environment: environment)
    // If it takes no orders for so long, it does not play either, and that is found out.
    let deadline = Deadline.after(.seconds(30))
    let remote = try Program.named("cmus-remote", package: "cmus")
    for order in ["set output_plugin=pulse", "set repeat_current=true", "player-play \(file)"] {
      while (try? Child.run(remote, ["--server", socket, "--raw", order], environment: environment)) == nil,
        !deadline.hasPassed
      {}
    }
    return child
  }

  /// VLC refuses to run as root, as which tests in a container run. A copy of it asks for another number.
  private static func vlc(in folder: TemporaryDirectory) throws -> Program {
    let program = try Program.named("vlc", package: "vlc-bin")
    guard geteuid() == 0 else { return program }
    let copy = folder.path("vlc")
    try Child.run(.named("cp", package: "coreutils"), [program.path, copy])
    try Child.run(.named("sed", package: "sed"), ["-i", "s/geteuid/getppid/", copy])
    return Program(path: copy)
  }
}

@Suite("The guard and players from Debian", .serialized, .longRealTime, .endsAnyway)
struct GuardPlayersTests {
  /// What each player plays. Each has a pitch of its own: two players of one pitch may cancel each other, and then neither is heard.
  private static let tones: [RealPlayer: [UInt8]] = {
    let format = AudioFormat(rate: 22_050, channels: 1)
    let tones = RealPlayer.allCases.enumerated().map { number, player in
      let pitch = 500 + 130 * Double(number)
      return (player, WAVFile.bytes(Tone.sine(pitch, frames: 90 * format.rate, format), format))
    }
    return Dictionary(uniqueKeysWithValues: tones)
  }()

  @Test("paused when its device goes", arguments: RouteServer.allCases, RealPlayer.allCases)
  func paused(kind: RouteServer, player: RealPlayer) throws {
    try player.skipIfMissing()
    for loss in GuardLoss.all {
      let stage = try GuardStage(kind, cards: loss.cards, start: loss.start)
      try start(player, on: loss.start, stage)
      try loss.act(stage.routes)
      stage.expect(["\(player.rawValue) paused"])
      let leak = try stage.leak()
      #expect(leak < player.mostLeak, "\(loss.name)")
      print("guard: \(player) on \(kind), \(loss.name): \(leak / .milliseconds(1)) ms on the loudspeakers")
      try stage.stop()
    }
  }

  @Test(
    "no device is lost: none of them is paused, whatever else happens",
    arguments: (RouteCase.all(on: .pulseAudio) + RouteCase.all(on: .pipeWire)).filter(\.isHarmless))
  func leftAlone(_ test: RouteCase) throws {
    let row = test.row
    let stage = try GuardStage(
      test.server, sinks: row.sinks, cards: row.cards, start: row.start, isChosen: row.isChosen,
      modules: row.modules, filters: row.filters)
    let players = RealPlayer.allCases.filter(\.isInstalled)
    for player in players { try start(player, on: row.start, stage) }
    for player in players { try stage.waitUntilPlaying(player.rawValue) }
    stage.routes.count()
    try row.act(stage.routes)
    try stage.ears.listen(for: .milliseconds(1_200))
    stage.expect([])
    for player in players { #expect(try stage.status(of: player.rawValue) == "Playing", "\(player)") }
    try stage.stop()
  }

  @Test(
    "without the guard all of them play on, aloud, when the headset goes", arguments: RouteServer.allCases)
  func without(kind: RouteServer) throws {
    let stage = try GuardStage(kind, cards: [.usbHeadset], start: "headset")
    try Child.run(
      .beside("fermata"), ["settings", "set", "guard", "off"], environment: stage.routes.stage.environment)
    let players = RealPlayer.allCases.filter(\.isInstalled)
    for player in players { try start(player, on: "headset", stage) }
    for player in players { try stage.waitUntilPlaying(player.rawValue) }
    try stage.routes.card(.usbHeadset).remove()
    try stage.ears.waitForSound(on: "speakers")
    stage.ears.mark()
    try stage.ears.listen(for: .seconds(3))
    #expect(try #require(stage.ears.heard["speakers"]) > .milliseconds(2_900))
    for player in players { #expect(try stage.status(of: player.rawValue) == "Playing", "\(player)") }
    #expect(stage.routes.events.guards.isEmpty)
    try stage.stop()
  }

  private func start(_ player: RealPlayer, on sink: String, _ stage: GuardStage) throws {
    let file = try stage.routes.stage.folder.write("\(player).wav", #require(Self.tones[player]))
    try stage.keep(player.rawValue, on: sink) { try player.start(file, stage) }
  }
}

extension RouteCase {
  /// Whether the sound goes on.
  fileprivate var isHarmless: Bool { if case .sounds = row.end { true } else { false } }
}
