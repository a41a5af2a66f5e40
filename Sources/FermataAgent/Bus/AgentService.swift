// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic

/// The player on our own D-Bus interfaces, on one connection to the bus. What MPRIS ignores is refused here, with the reason. Loop
/// only.
@AgentLoop
final class AgentService {
  let service: PlayerService
  let items: ItemService
  let editor: QueueEditor
  let connection: BusConnection
  private var told: PlayerFace
  private var changedItems: [EntryID] = []
  /// The place that the listener jumped to in this turn. It is sent after the track that it is a place in.
  private var seekedTo: Duration?

  /// Tags come one file at a time; changes within this time are sent together.
  private static let gathering = Duration.milliseconds(20)

  init(_ connection: BusConnection, _ service: PlayerService, items: ItemService, editor: QueueEditor) {
    self.connection = connection
    self.service = service
    self.items = items
    self.editor = editor
    told = PlayerFace(of: service, items: items)
    connection.export([player(), queue(), session()], at: AgentDescriptions.path)
  }

  /// What the player shows now.
  var face: PlayerFace { PlayerFace(of: service, items: items) }

  // MARK: Going out

  /// Sends what the player reports.
  func hear(_ news: PlayerNews) {
    switch news {
    case .seeked(let place): seekedTo = place
    case .troubled(let entry, let reason, true): skipped(entry, reason)
    case .queue(let change):
      for news in QueueNews.news(of: change, length: service.player.queue.count) {
        tell(news.signal, of: AgentDescriptions.queue)
      }
    case .route(let change, let paused):
      tell(AgentSession.signal(change, paused: paused), of: AgentDescriptions.session)
    case .interruptionBegan(let source, let wasPlaying):
      tell(.interruptionBegan(source, wasPlaying: wasPlaying))
    case .interruptionEnded(let source, let shouldResume):
      tell(.interruptionEnded(source, shouldResume: shouldResume))
    case .item(let entry): itemsChanged([entry])
    case .missing(let entries): itemsChanged(entries)
    case .turn: turnEnded()
    case .troubled, .waiting, .refused, .volume: break  // answered to the caller, or part of the face
    }
  }

  private func itemsChanged(_ entries: [EntryID]) {
    if changedItems.isEmpty { AgentLoop.after(Self.gathering) { [weak self] in self?.tellItems() } }
    changedItems += entries
  }

  private func tellItems() {
    let present = changedItems.filter { service.player.queue.entry($0) != nil }
    changedItems = []
    if !present.isEmpty { tell("ItemsChanged", [AgentQueue.reply(present)], of: AgentDescriptions.queue) }
  }

  private func turnEnded() {
    let now = face
    for signal in AgentPlayer.signals(from: told, to: now) { tell(signal, of: AgentDescriptions.player) }
    tellProperties(AgentPlayer.changes(from: told, to: now), of: AgentDescriptions.player)
    tellProperties(AgentQueue.changes(from: told, to: now), of: AgentDescriptions.queue)
    told = now
    guard let place = seekedTo else { return }
    seekedTo = nil
    tell("Seeked", AgentPlayer.seeked(to: place), of: AgentDescriptions.player)
  }

  private func tellProperties(_ changes: [(MemberName, WireValue)], of interface: InterfaceDescription) {
    guard !changes.isEmpty else { return }
    try? connection.propertiesChanged(at: AgentDescriptions.path, interface.name, changes)
  }

  private func skipped(_ entry: EntryID, _ reason: String) {
    guard let row = service.player.queue.entry(entry) else { return }
    let arguments = AgentPlayer.skipped(entry, ItemService.location(row), why: reason)
    tell("Skipped", arguments, of: AgentDescriptions.player)
  }

  private func tell(_ output: SessionEffect) {
    if let signal = AgentSession.signal(output) { tell(signal, of: AgentDescriptions.session) }
  }

  private func tell(_ signal: (MemberName, [WireValue]), of interface: InterfaceDescription) {
    tell(signal.0, signal.1, of: interface)
  }

  private func tell(_ member: MemberName, _ arguments: [WireValue], of interface: InterfaceDescription) {
    try? connection.emit(
      BusSignal(
        path: AgentDescriptions.path, interface: interface.name, member: member, arguments: arguments))
  }
}

// `org.fermata.Player1` and `org.fermata.Session1`.
extension AgentService {
  func player() -> BusInterface {
    BusInterface(
      AgentDescriptions.player, call: { [weak self] in try self?.answerPlayer($0) ?? .done },
      get: { [weak self] in self?.playerValue($0) },
      set: { [weak self] name, value, _ in try self?.set(name, to: value) ?? .done })
  }

  func session() -> BusInterface {
    BusInterface(AgentDescriptions.session) { [weak self] name in
      self.flatMap { AgentSession.properties(of: $0.face).first { $0.0 == name }?.1 }
    }
  }

  private func playerValue(_ name: MemberName) -> WireValue? {
    name == "Position" ? AgentPlayer.position(service.position) : AgentPlayer.property(name, of: face)
  }

  private func set(_ name: MemberName, to value: WireValue) throws -> BusReply {
    switch try AgentPlayer.order(set: name, to: value) {
    case .setVolume(let fraction): service.setVolume(fraction)
    case .setRepeat(let choice):
      return try edit { $0.setRepeat(choice) }
    case .setShuffle(let choice):
      return try edit { $0.setShuffle(choice) }
    default: break  // no property asks for anything else
    }
    return .done
  }

  private func edit(_ edit: @escaping @AgentLoop (inout PlayQueue) -> QueueChange) throws -> BusReply {
    try editor.commit { [service] in
      service.edit(edit)
      return .done
    }
  }

  private func answerPlayer(_ call: MethodCall) throws(BusError) -> BusReply {
    switch call.member {
    case "Status": .now([StatusFace(face, position: service.position).wireValue])
    case "ChangeVolume": .now([.double(try changeVolume(call))])
    case "Art": .later { [self] in [.string(try await art(call.arguments))] }
    default: .now(try obey(call))
    }
  }

  private func changeVolume(_ call: MethodCall) throws(BusError) -> Double {
    service.note("bus: \(call.member) from \(call.sender)")
    service.changeVolume(by: try AgentPlayer.volumeChange(call.arguments))
    return service.userVolume
  }

  private func obey(_ call: MethodCall) throws(BusError) -> [WireValue] {
    service.note("bus: \(call.member) from \(call.sender)")
    let waiting = try obey(AgentPlayer.order(call: call.member, call.arguments))
    switch call.member {
    case "Play", "Toggle": return .arguments(waiting)
    case "PlayRandom": return .arguments(service.player.queue.current?.rawValue ?? 0)
    default: return []
    }
  }

  /// Carries out an order. Returns what playing waits for; empty if it doesn't wait. Throws if the order is refused.
  func obey(_ order: PlayerOrder) throws(BusError) -> String {
    try waiting(after: service.order(order))
  }

  /// What playing waits for after an order; empty if it doesn't wait. Throws if the order was refused.
  func waiting(after outcome: OrderOutcome) throws(BusError) -> String {
    guard let refusal = outcome.refusal else {
      // If the server has not failed yet, we are still connecting to it, which takes no time that a person notices.
      let isConnecting = outcome.waiting == .server && service.lastServerError == nil
      return isConnecting ? "" : outcome.waiting?.text ?? ""
    }
    if refusal == OrderOutcome.noOutput, !service.isServerThere {
      throw AgentError.noServer(service.lastServerError ?? "no sound server answers; start one")
    }
    throw AgentError.refused(refusal)
  }

  private func art(_ arguments: [WireValue]) async throws(BusError) -> String {
    let (item, size) = try AgentPlayer.art(asked: arguments)
    if let item { throw AgentError.refused("item:\(item.rawValue): there is no library to look it up in") }
    guard size == nil else {
      throw AgentError.refused("pictures are not made in other sizes; ask for none to have it as it is")
    }
    guard let current = service.player.queue.current.flatMap(service.player.queue.entry) else {
      throw AgentError.refused(Refusal.nothingCurrent.rawValue)
    }
    guard let url = await items.itemOnceRead(current).artURL else {
      throw AgentError.refused("there is no picture")
    }
    return url
  }
}

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
