// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import PlaybackLogic

extension AgentNews {
  /// The object that `events --json` writes, one a line.
  func json(at moment: Moment) -> JSONValue {
    let (name, members) = named
    return .object(
      [.init("time", .string(moment.text)), .init("event", .string(name))]
        + members.compactMap { name, value in value.map { .init(name, $0) } })
  }

  private typealias Members = KeyValuePairs<String, JSONValue?>

  private var named: (String, Members) {
    switch self {
    case .state(let state, let why):
      ("state", ["state": .string(state.rawValue), "why": why.map(JSONValue.string)])
    case .nowPlaying(let item): ("nowPlaying", ["item": item.flatMap { JSONValue(wire: $0.wireValue()) }])
    case .volume(let volume): ("volume", ["volume": JSONNumber(volume).map(JSONValue.number)])
    case .repeats(let mode): ("repeat", ["repeat": .string(RepeatMode(mode).rawValue)])
    case .shuffles(let mode): ("shuffle", ["shuffle": .string(ShuffleMode(mode).rawValue)])
    case .seeked(let position): ("seeked", ["position": .seconds(position)])
    case .queue(let news): ("queue", Self.members(of: news))
    case .row(let row): ("row", ["index": row.map(JSONValue.integer)])
    case .itemsChanged(let entries): ("items", ["entries": .array(entries.map(Self.json))])
    default: namedOfSession
    }
  }

  private var namedOfSession: (String, Members) {
    switch self {
    case .skipped(let entry, let url, let why):
      ("skipped", ["entry": Self.json(entry), "url": .string(url), "why": .string(why)])
    case .routeChange(let reason, let previous, let current, let paused):
      (
        "routeChange",
        [
          "reason": .string(reason.rawValue), "previous": Self.json(previous), "current": Self.json(current),
          "paused": .bool(paused),
        ]
      )
    case .interruptionBegan(let source, let wasPlaying):
      (
        "interruption",
        ["phase": .string("began"), "source": .string(source), "wasPlaying": .bool(wasPlaying)]
      )
    case .interruptionEnded(let source, let shouldResume):
      (
        "interruption",
        ["phase": .string("ended"), "source": .string(source), "shouldResume": .bool(shouldResume)]
      )
    default: preconditionFailure("news of the player")
    }
  }

  /// Always has the three lists, so that a script need not check which of them exist. Rows count from 1, and each
  /// entry is one row. If the change has too many rows for one line, it is reported as a replaced queue.
  private static func members(of news: QueueNews) -> Members {
    var (added, removed, moved): ([JSONValue], [JSONValue], [JSONValue]) = ([], [], [])
    var isReplaced = news.rows > EventsCommand.mostRows
    if !isReplaced {
      switch news.edit {
      case .added(let runs): added = runs.flatMap(rows)
      case .removed(let runs): removed = runs.flatMap(rows)
      case .moved(let row, let count, let target):
        moved = (0..<count).map {
          .object(present: ["from": .integer(row + $0), "to": .integer(target + $0)])
        }
      case .replaced: isReplaced = true
      }
    }
    return [
      "added": .array(added), "removed": .array(removed), "moved": .array(moved),
      "replaced": isReplaced ? .bool(true) : nil, "length": .integer(news.length),
    ]
  }

  private static func rows(_ run: RowRun) -> [JSONValue] {
    zip(run.row..., run.entries).map { row, entry in
      .object(present: ["row": .integer(row), "entry": json(entry)])
    }
  }

  private static func json(_ route: RouteFace?) -> JSONValue? {
    route.flatMap { JSONValue(wire: $0.wireValue) }
  }
  private static func json(_ entry: EntryID) -> JSONValue { .integer(Int(clamping: entry.rawValue)) }
}
