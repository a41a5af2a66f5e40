// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
import BusModel
package import PlaybackLogic
import ProcessIO

/// Finds the players that are on the bus, and the processes behind them. Asks no player anything but its name for people, and that only on request.
@AgentLoop
package enum PlayerDirectory {
  private static let prefix = "org.mpris.MediaPlayer2."
  /// At most this many players are looked at.
  private static let most = 64
  /// At most this many names are looked up.
  private static let mostNames = 1_024
  /// At most this many names of one program are kept, so that a program with hundreds of names leaves room for the other players.
  private static let mostNamesEach = 4
  /// This name stands for whichever player was heard last, which may be ourselves: playerctl's daemon passes on to that one what it is told.
  private static let deputy = prefix + "playerctld"

  /// Whether a bus name belongs to a program that plays music. playerctl's daemon has a name of this form too, but plays nothing itself.
  package static func isPlayer(_ name: String) -> Bool { name.hasPrefix(prefix) && name != deputy }

  /// The players on the bus, our own connection's left out; none if the bus does not answer.
  package static func players(on connection: BusConnection) async -> [BusPlayer] {
    let names = (try? await connection.names()) ?? []
    let found = names.filter(isPlayer).sorted().prefix(mostNames)
    let players = await eachAtOnce(Array(found)) { name in await player(named: name, on: connection) }
    return kept(players.compactMap(\.self))
  }

  /// The first few names of each program.
  private static func kept(_ players: [BusPlayer]) -> [BusPlayer] {
    var counts: [String: Int] = [:]
    let kept = players.filter { player in
      counts[player.owner, default: 0] += 1
      return counts[player.owner, default: 0] <= mostNamesEach
    }
    return Array(kept.prefix(most))
  }

  private static func player(named name: String, on connection: BusConnection) async -> BusPlayer? {
    guard let valid = BusName(name), let owner = try? await connection.owner(of: valid),
      owner != connection.uniqueName, let process = try? await connection.processID(of: owner),
      let id = Int32(exactly: process)
    else { return nil }
    return BusPlayer(busName: name, owner: owner.text, process: id)
  }

  /// The names for people that these players give themselves, by the players' owners. A player that does not answer is left out.
  package static func identities(
    of players: [BusPlayer], on connection: BusConnection
  ) async -> [String: String] {
    let answers = await eachAtOnce(players) { player -> (String, String)? in
      guard let owner = BusName(player.owner),
        let identity = await GuardService.identity(of: owner, connection)
      else { return nil }
      return (player.owner, identity)
    }
    return Dictionary(answers.compactMap(\.self)) { first, _ in first }
  }

  /// The kernel's records of these processes and of their ancestors. A sandbox is looked into through its own file systems, one of which may not answer.
  /// Nobody waits for that for longer than `patience`: then it is not known which of the processes are in one.
  package static func records(of processes: [Int32]) async -> [Int32: ProcessRecord] {
    let found = try? await looking.run { job in
      job.looks(at: "/proc")
      return ProcessTable.records(of: processes)
    }
    guard let found else { return [:] }
    let sandboxes = try? await lookingInside.run { job in
      ProcessTable.flatpaks(of: processes.filter { found[$0] != nil }) { job.looks(at: "/proc/\($0)/root") }
    }
    return found.merging(
      (sandboxes ?? [:]).compactMap { id, name in found[id].map { (id, $0.inside(name)) } }
    ) { $1 }
  }

  private static let patience = Duration.milliseconds(300)
  private static let looking = BlockingThread("processes")
  private static let lookingInside = BlockingThread(
    "sandboxes", yieldsAfter: patience / 3, givesUpAfter: patience)
}

/// Runs a body for each value, all at the same time, and returns the results in the values' order.
@AgentLoop
func eachAtOnce<Value, Answer: Sendable>(
  _ values: [Value], _ body: @escaping @AgentLoop (Value) async -> Answer
) async -> [Answer] {
  let tasks = values.map { value in AgentLoop.task { await body(value) } }
  var answers: [Answer] = []
  for task in tasks { answers.append(await task.value) }
  return answers
}
