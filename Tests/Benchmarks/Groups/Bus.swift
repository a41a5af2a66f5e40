// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  private static let calls = 2000

  /// Round trips, asked by the same bare client one after the other.
  func bus() throws -> [Figure] {
    let stage = try Stage.card(self)
    let echo = try Child(
      Self.bare, ["echo", "org.fermata.Bare"], environment: stage.environment, isInteractive: true)
    _ = try echo.nextLine(until: .after(.seconds(5)))
    let agent = try Agent(on: stage)
    let player = [agent.busName, "/org/mpris/MediaPlayer2"]
    let bus = ["org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"]
    let ping = ["org.freedesktop.DBus.Peer", "Ping"]
    let getAll = ["org.freedesktop.DBus.Properties", "GetAll"]
    var times: [[Double]] = [[], [], [], []]
    // In turns, so that whatever else the machine does meets all of them.
    for _ in 0..<runs {
      times[0].append(try time(bus, [], stage))
      times[1].append(try time(["org.fermata.Bare", "/"] + ping, [], stage))
      times[2].append(try time(player + ping, [], stage))
      times[3].append(try time(player + getAll, ["org.mpris.MediaPlayer2.Player"], stage))
    }
    try agent.child.check()
    let limits = [("the bus's own GetId", times[0].median), ("Ping in bare C", times[1].median)]
    return [
      Figure(name: "Ping", ours: times[2].median, unit: "µs", others: limits),
      Figure(
        name: "GetAll(Player)", ours: times[3].median, unit: "µs", budget: .atMost(50), others: limits,
        note: program == nil ? "the modules with a sample of properties" : ""),
    ]
  }

  private func time(_ words: [String], _ texts: [String], _ stage: Stage) throws -> Double {
    try BareClient.ask(words, count: Self.calls, texts: texts, stage.environment).time / .microseconds(1)
  }
}
