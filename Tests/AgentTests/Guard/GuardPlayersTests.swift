// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

/// A player from Debian.
enum RealPlayer: String, CaseIterable, Sendable {
  case mpv, cmus, audacious, vlc

  /// What has to be installed for it to play and to have a name on the bus.
  private var needs: [String] {
    switch self {
    case .mpv: ["/usr/bin/mpv", "/etc/mpv/scripts/mpris.so"]
    case .cmus: ["/usr/bin/cmus", "/usr/bin/script"]
    case .audacious: ["/usr/bin/audacious"]
    case .vlc: ["/usr/bin/vlc"]
    }
  }

  static let installed = allCases.filter { $0.needs.allSatisfy { access($0, F_OK) == 0 } }

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
    }
  }

  private func startCmus(_ file: String, _ stage: GuardStage, _ environment: [String: String]) throws -> Child
  {
    let socket = stage.routes.stage.folder.path("cmus")
    // cmus and its remote both make this folder where it is missing, and the second one of them fails.
    try stage.routes.stage.folder.makeFolder(".config/cmus/playlists")
    let child = try Child(
      .named("script", package: "bsdutils"), ["-qc", "exec cmus --listen \(socket)", "/dev/null"],
      environment: environment)
    let deadline = Deadline.patient
    let remote = try Program.named("cmus-remote", package: "cmus")
    for order in ["set output_plugin=pulse", "player-play \(file)"] {
      while (try? Child.run(remote, ["--server", socket, "--raw", order], environment: environment)) == nil {
        if deadline.hasPassed { throw KitError("cmus takes no orders: \(child.standardOutput)") }
      }
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

@Suite(
  "The guard and players from Debian", .serialized, .realTime, .timeLimit(.minutes(5)),
  .enabled(
    if: !RealPlayer.installed.isEmpty, "none of mpv with mpv-mpris, cmus, audacious and vlc is installed"))
struct GuardPlayersTests {
  private static let tone: [UInt8] = {
    let format = AudioFormat(rate: 22_050, channels: 1)
    return WAVFile.bytes(Tone.sine(frames: 90 * format.rate, format), format)
  }()

  @Test("paused when its device goes", arguments: RouteServer.allCases, RealPlayer.installed)
  func paused(kind: RouteServer, player: RealPlayer) throws {
    for loss in GuardLoss.all {
      let stage = try GuardStage(kind, cards: loss.cards, start: loss.start)
      let file = try stage.routes.stage.folder.write("tone.wav", Self.tone)
      try stage.keep(player.start(file, stage), as: player.rawValue, on: loss.start)
      try loss.act(stage.routes)
      stage.expect(["\(player.rawValue) paused"])
      let leak = try stage.leak()
      #expect(leak < .milliseconds(150), "\(loss.name)")
      print("guard: \(player) on \(kind), \(loss.name): \(leak / .milliseconds(1)) ms on the loudspeakers")
      try stage.stop()
    }
  }
}
