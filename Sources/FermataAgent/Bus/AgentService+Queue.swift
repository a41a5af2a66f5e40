// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic

// `org.fermata.Queue1`.
extension AgentService {
  func queue() -> BusInterface {
    BusInterface(
      AgentDescriptions.queue, call: { [weak self] in try self?.answerQueue($0) ?? .done },
      get: { [weak self] name in self.flatMap { AgentQueue.property(name, of: $0.face) } })
  }

  private var list: PlayQueue { service.player.queue }

  private func answerQueue(_ call: MethodCall) throws -> BusReply {
    switch call.member {
    case "List":
      let rows = try AgentQueue.rows(asked: call.arguments, of: list.count)
      // The rows are taken now, however long it takes to read their titles.
      let (entries, length, current) = (list.entries(at: rows), list.count, list.current)
      let row = list.currentPosition.map { $0 + 1 }
      return .later { [items] in
        let known = await items.items(entries, of: length)
        let faces = zip(entries, known).map { Self.face($0, $1, current) }
        return QueuePage(items: faces, length: length, current: row).reply
      }
    case "Items":
      let entries = try AgentQueue.entries(asked: call.arguments).compactMap(list.entry)
      return .now([.array("a{sv}", entries.map { item($0).wireValue(inList: true) })])
    default:
      service.note("bus: \(call.member) from \(call.sender)")
      switch try AgentQueue.order(call: call.member, call.arguments) {
      case .player(.jump(let entry)):
        return .later { [self] in
          let outcome = try await untilLeft(call.sender) { job in try await editor.jump(to: entry, job) }
          return [.string(try waiting(after: outcome))]
        }
      case .player(let order): return .value(try obey(order))
      case .queue(.save(let path, let replacing)): return save(at: path, replacing: replacing)
      case .queue(let order): return try editor.commit { [self] in try perform(order, call.sender) }
      default: return .done  // no method asks for anything else
      }
    }
  }

  private func item(_ entry: Entry) -> ItemFace { Self.face(entry, items.item(entry), list.current) }

  private static func face(_ entry: Entry, _ known: ItemService.Known, _ current: EntryID?) -> ItemFace {
    ItemFace(
      known.item, entry: entry.id, artURL: known.artURL, isCurrent: entry.id == current,
      isMissing: entry.isMissing)
  }

  private func perform(_ order: QueueOrder, _ caller: BusName) throws(BusError) -> BusReply {
    switch order {
    case .append(let sources): return add(sources, caller) { $0.append($1) }
    case .addNext(let sources): return add(sources, caller) { $0.insertNext($1) }
    case .insert(let sources, let row):
      return add(sources, caller) { $0.insert($1, at: min(row - 1, $0.count)) }
    case .play(let sources, let options): return play(sources, options, caller)
    case .remove(let entries): return .now([AgentQueue.reply(try editor.remove(entries))])
    case .move(let entry, let count, let row):
      return .now([AgentQueue.reply(try editor.move(entry, count: count, to: row))])
    case .clear: service.edit { $0.clear() }
    case .shuffle(let choice): service.edit { $0.shuffleList(choice) }
    case .undo: return .now(AgentQueue.reply(try editor.undo()))
    case .redo: return .now(AgentQueue.reply(try editor.redo()))
    case .save: break  // no edit
    }
    return .done
  }

  private func save(at path: FilePath, replacing: Bool) -> BusReply {
    .later { [editor, items] in
      try await editor.save(at: path, replacing: replacing, knowing: items)
      return []
    }
  }

  private func add(
    _ sources: [MediaSource], _ caller: BusName,
    _ edit: @escaping @Sendable (inout PlayQueue, [EntrySource]) -> QueueChange
  ) -> BusReply {
    .later { [self, editor] in
      let found = try await expand(sources, for: caller)
      return [AgentQueue.reply(editor.add { edit(&$0, found.entries) }), found.leftOut.wireValue]
    }
  }

  /// Carries out an order that looks at files. A person who interrupts a command wants nothing of it any more: when the caller
  /// leaves the bus, the job is cancelled, and nothing has changed.
  private func untilLeft<Result>(
    _ caller: BusName, _ body: (BlockingJob) async throws -> Result
  ) async throws -> Result {
    let job = BlockingJob()
    let watch = CallerWatch(caller, on: connection) { [service] in
      service.note("\(caller) left before its order was carried out")
      job.cancel()
    }
    defer { watch.end() }
    return try await body(job)
  }

  private func expand(_ sources: [MediaSource], for caller: BusName) async throws -> FoundSources {
    try await untilLeft(caller) { job in try await editor.expand(sources, job) }
  }

  /// Replaces the queue and plays it. If it cannot be played, the queue has it all the same, and the caller is told why it is not
  /// heard.
  private func play(_ sources: [MediaSource], _ options: PlayOptions, _ caller: BusName) -> BusReply {
    .later { [self] in
      let found = try await expand(sources, for: caller)
      let (entries, outcome) = editor.replace(with: found.entries, options)
      return [AgentQueue.reply(entries), .string(try waiting(after: outcome)), found.leftOut.wireValue]
    }
  }
}
