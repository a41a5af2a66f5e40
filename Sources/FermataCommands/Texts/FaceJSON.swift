// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic

extension JSONValue {
  /// Converts a value from the bus. Our own interfaces use the same keys in the same order as the command line's
  /// JSON, so nothing has to be mapped. Nil for a value that JSON can't express.
  init?(wire: WireValue) {
    switch wire {
    case .boolean(let flag): self = .bool(flag)
    case .string(let text): self = .string(text)
    case .int32(let number): self = .integer(Int(number))
    case .uint32(let number): self = .integer(Int(number))
    case .int64(let number): self = .integer(Int(number))
    case .uint64(let number): self = .integer(Int(clamping: number))
    case .double(let number):
      guard let number = DecimalText(number) else { return nil }
      self = .number(number)
    case .variant(let value): self.init(wire: value)
    case .array(_, let values): self = .array(values.compactMap { JSONValue(wire: $0) })
    case .dictionary(_, _, let entries): self = .object(entries.compactMap(Member.init))
    default: return nil
    }
  }
}

extension JSONValue.Member {
  fileprivate init?(_ entry: DictionaryEntry) {
    guard case .string(let name) = entry.key, let value = JSONValue(wire: entry.value) else { return nil }
    self.init(name, value)
  }
}

extension StatusFace {
  /// The object that `status --json` writes.
  var json: JSONValue { JSONValue(wire: wireValue) ?? .object([]) }
}

extension QueuePage {
  /// The object that `queue list --json` writes.
  var json: JSONValue {
    .object(present: [
      "entries": .array(items.compactMap { JSONValue(wire: $0.wireValue(inList: true)) }),
      "length": .integer(length), "index": current.map(JSONValue.integer),
    ])
  }
}

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
    case .coding(let coding): ("coding", ["coding": coding.flatMap { JSONValue(wire: $0.wireValue) }])
    case .volume(let volume): ("volume", ["volume": DecimalText(volume).map(JSONValue.number)])
    case .muted(let isMuted): ("muted", ["muted": .bool(isMuted)])
    case .stored(let isStored): ("stored", ["stored": .bool(isStored)])
    case .modes(let repeats, let shuffle, let consumes):
      (
        "modes",
        [
          "repeat": .string(repeats.rawValue), "shuffle": .string(shuffle.rawValue),
          "consume": .bool(consumes),
        ]
      )
    case .sleepTimer(let left): ("sleep", ["sleep": left.map(JSONValue.seconds)])
    case .stopsAfterCurrent(let stops): ("stopAfterCurrent", ["stopsAfterCurrent": .bool(stops)])
    case .category(let category): ("category", ["category": .string(category.rawValue)])
    case .ducked(let level): ("ducked", ["ducked": level.flatMap(DecimalText.init).map(JSONValue.number)])
    case .interruptions(let sources):
      ("interruptions", ["interruptions": .array(sources.map(JSONValue.string))])
    case .callers(let programs): ("callers", ["callers": .array(programs.map(JSONValue.string))])
    case .duckedFor(let source): ("duckedFor", ["source": source.map(JSONValue.string)])
    case .route(let route): ("route", ["route": route.flatMap { JSONValue(wire: $0.wireValue) }])
    case .seeked(let position): ("seeked", ["position": .seconds(position)])
    case .queue(let news): ("queue", Self.members(of: news))
    case .library(let added, let changed, let removed):
      (
        "library",
        ["added": .integer(added), "changed": .integer(changed), "removed": .integer(removed)]
      )
    case .job(let job): ("job", ["job": JSONValue(wire: JobFace(job).wireValue)])
    case .pads(let pads): ("pads", ["pads": JSONValue(wire: pads.wireValue)])
    case .ending: ("ending", [:])
    case .row(let row): ("row", ["index": row.map(JSONValue.integer)])
    case .itemsChanged(let items):
      ("items", ["items": .array(items.compactMap { JSONValue(wire: $0.wireValue(inList: true)) })])
    case .skipped(let entry, let url, let why):
      ("skipped", ["entry": Self.json(entry), "url": .string(url), "why": .string(why)])
    case .endedEarly(let entry, let url, let why, let place):
      (
        "endedEarly",
        [
          "entry": Self.json(entry), "url": .string(url), "why": .string(why), "position": .seconds(place),
        ]
      )
    case .routeChange(let reason, let previous, let current, let paused):
      (
        "routeChange",
        [
          "reason": .string(reason.rawValue), "previous": previous.flatMap { JSONValue(wire: $0.wireValue) },
          "current": current.flatMap { JSONValue(wire: $0.wireValue) }, "paused": .bool(paused),
        ]
      )
    case .guarded(let player, let reason, let outcome, let previous):
      (
        "guard",
        [
          "player": .string(player), "reason": .string(reason.rawValue), "outcome": .string(outcome.rawValue),
          "previous": previous.flatMap { JSONValue(wire: $0.wireValue) },
        ]
      )
    case .interruptionBegan(let source, let sources, let wasPlaying):
      (
        "interruption",
        [
          "phase": .string("began"), "source": .string(source),
          "sources": .array(sources.map(JSONValue.string)),
          "wasPlaying": .bool(wasPlaying),
        ]
      )
    case .interruptionEnded(let source, let sources, let shouldResume, let isOverruled):
      (
        "interruption",
        [
          "phase": .string("ended"), "source": .string(source),
          "sources": .array(sources.map(JSONValue.string)),
          "shouldResume": .bool(shouldResume), "overruled": isOverruled ? .bool(true) : nil,
        ]
      )
    }
  }

  /// The members of the event that reports an edit. They always have the three lists, so that a script need not check which of them exist. Rows count
  /// from 1, and each entry is one row. If the change has too many rows for one line, it is reported as a replaced queue.
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

  private static func json(_ entry: EntryID) -> JSONValue { .integer(Int(clamping: entry.rawValue)) }
}
