// SPDX-License-Identifier: MIT
import FermataTestKit

/// A player with a screen of its own, and its queue with many rows of one file.
struct ScreenPlayer {
  let name: String
  let terminal: BareTerminal
  /// Makes it play, and be silent again.
  let play: () throws -> Void
  let pause: () throws -> Void
  /// What is typed in turns to move the chosen row.
  var keys = ["j"]
  /// What has to live as long as the screen.
  var servant: Child?

  /// Our screen, with an agent that has the queue already.
  static func ours(_ program: String, _ stage: Stage, rows: Int = 30) throws -> ScreenPlayer {
    func order(_ word: String) throws {
      try Child.run(Program(path: program), [word], environment: stage.environment)
    }
    return ScreenPlayer(
      name: "fermata ui",
      terminal: try BareTerminal(showing: "long", [program, "ui"], stage.environment, rows: rows),
      play: { try order("play") }, pause: { try order("pause") })
  }

  /// cmus with its queue in view.
  static func cmus(_ file: String, _ list: String, _ stage: Stage) throws -> ScreenPlayer {
    let socket = stage.directory.path("cmus-screen")
    let cmus = try Program.named("cmus", package: "cmus").path
    let terminal = try BareTerminal(showing: "", [cmus, "--listen", socket], stage.environment)
    let deadline = Deadline.after(.seconds(5))
    while (try? BareClient.say("", to: socket)) == nil {
      guard !deadline.hasPassed else { throw KitError("cmus does not listen") }
    }
    func order(_ line: String) throws { _ = try BareClient.say(line, to: socket) }
    // It stops at what it has to say of outputs that are not there.
    try terminal.feed("\r")
    for line in ["set output_plugin=pulse", "add -q \(list)", "view 4", "player-play \(file)"] {
      try order(line)
    }
    return ScreenPlayer(
      name: "cmus", terminal: terminal,
      play: { try order("player-play") }, pause: { try order("player-pause") },
      // All of its rows look the same, so it has nothing to send when they move.
      keys: ["j", "k"])
  }

  /// ncmpcpp and the MPD that it is a screen of.
  static func ncmpcpp(_ file: String, rows: Int, _ stage: Stage) throws -> ScreenPlayer {
    let folder = stage.directory
    let name = String(file.split(separator: "/").last ?? "")
    _ = try folder.write("rows.m3u", String(repeating: name + "\n", count: rows))
    let mpd = try MPD(music: folder.path, on: stage)
    try mpd.update()
    try mpd.order("load", "rows")
    try mpd.order("play")
    let settings = try folder.write(
      "ncmpcpp.conf",
      "mpd_host = \(mpd.socket)\nncmpcpp_directory = \(folder.path)\nlyrics_directory = \(folder.path)\n")
    let ncmpcpp = try Program.named("ncmpcpp", package: "ncmpcpp").path
    return ScreenPlayer(
      name: "ncmpcpp",
      terminal: try BareTerminal(showing: "", [ncmpcpp, "--config", settings], stage.environment),
      play: { try mpd.order("play") }, pause: { try mpd.order("pause") }, servant: mpd.child)
  }
}
