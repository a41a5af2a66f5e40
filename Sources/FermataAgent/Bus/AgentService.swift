// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic
import SourceIO

/// The player on our own D-Bus interfaces, on one connection to the bus or inside its process. Orders that MPRIS silently ignores are refused here,
/// with the reason.
@AgentLoop
final class AgentService {
  private let host: any ObjectHost
  private let service: PlayerService
  private let items: ItemService
  private let listing: QueueListing
  private let editor: QueueEditor
  private let quit: @AgentLoop () -> Void
  private let readSettings: @AgentLoop () async -> FilePath?
  /// The error that answers every order except the few that any agent takes; nil if this agent takes orders.
  private let refusal: BusError?
  /// What was last sent of the player, to find out what has changed since.
  private var reported: PlayerFace
  private var changedItems: [EntryID] = []
  private let announcer: Announcer
  private var told: ToldPlace
  /// The client that holds a seek button, or held the last one, and the watch for its end; nil if no client is bound to the last seek.
  private var seekHolder: (client: BusName, watch: CallerWatch)?

  /// How long the answer to `Status` waits, right after the agent's start, until it is known where the sound goes.
  private static let patience = Duration.seconds(1)
  /// Tags are read one file at a time; changes within this time are sent together.
  private static let gathering = Duration.milliseconds(20)

  /// Exports the player's interfaces on `host`; `others` are further interfaces of the same object. `readSettings` is called when somebody wants the
  /// settings file read now, `quit` when somebody asks for the agent's end. With `refusal`, every call but these two and `Status` is answered with
  /// that error.
  init(
    _ host: any ObjectHost, _ service: PlayerService, items: ItemService, editor: QueueEditor,
    beside others: [BusInterface] = [], refusingOrdersWith refusal: BusError? = nil,
    readSettings: @escaping @AgentLoop () async -> FilePath?,
    quit: @escaping @AgentLoop () -> Void
  ) {
    self.readSettings = readSettings
    self.refusal = refusal
    self.host = host
    self.service = service
    self.items = items
    listing = QueueListing(service: service, items: items)
    self.editor = editor
    self.quit = quit
    reported = PlayerFace(of: service, items: items)
    told = ToldPlace(service.position, isPlaying: reported.state == .playing, at: AgentLoop.now)
    announcer = Announcer(announced: reported.entry)
    announcer.askAgain = { [weak self] in if let self { self.announce(self.face) } }
    host.export([player(), queue(), session()] + others, at: AgentDescriptions.path)
  }

  /// What the player shows now.
  private var face: PlayerFace { PlayerFace(of: service, items: items) }

  // MARK: Going out

  /// Sends signals about what the player reports.
  func hear(_ news: PlayerNews) {
    switch news {
    case .seeked(let place): told.jump(to: place)
    case .skipped(let entry, let reason):
      emit(entry) { AgentPlayer.skipped(entry, $0, why: reason) }
      itemsChanged([entry])
    case .endedEarly(let entry, let reason, let place):
      emit(entry) { AgentPlayer.endedEarly(entry, $0, why: reason, at: place) }
    case .queue(let change):
      for news in QueueNews.news(of: change, length: service.player.queue.count) {
        emit(news.signal, of: AgentDescriptions.queue)
      }
      itemsChanged(change.relocated)
    case .route(let change, let paused):
      emit(AgentSession.signal(change, paused: paused), of: AgentDescriptions.session)
    case .interruptionBegan(let told):
      emit(AgentSession.began(told), of: AgentDescriptions.session)
    case .interruptionEnded(let told, let end):
      emit(AgentSession.ended(told, end), of: AgentDescriptions.session)
    case .guarded(let report): emit(AgentSession.signal(report), of: AgentDescriptions.session)
    case .item(let entry): itemsChanged([entry])
    case .missing(let entries): itemsChanged(entries)
    case .turn: turnEnded()
    case .waiting, .refused, .volume: break  // answered to the caller, or part of the face
    }
  }

  /// Sends the signal that the agent ends on purpose.
  func tellEnd() { emit(AgentPlayer.ends(), of: AgentDescriptions.player) }

  private func itemsChanged(_ entries: [EntryID]) {
    if changedItems.isEmpty { AgentLoop.after(Self.gathering) { [weak self] in self?.emitItems() } }
    changedItems += entries
  }

  private func emitItems() {
    var seen = Set<EntryID>()
    let entries = changedItems.filter { seen.insert($0).inserted }.compactMap(list.entry)
    changedItems = []
    for start in stride(from: 0, to: entries.count, by: AgentQueue.largestPage) {
      let page = entries[start..<min(start + AgentQueue.largestPage, entries.count)]
      emit(
        AgentQueue.changed(page.map { listing.face($0, items.itemSoFar($0)) }),
        of: AgentDescriptions.queue)
    }
  }

  private func announce(_ now: PlayerFace) {
    let isReading = now.entry.map(items.isReading) ?? false
    switch announcer.step(now.entry, awaitsSound: service.player.awaitsSound, isReading: isReading) {
    case .announce:
      emit(AgentPlayer.nowPlaying(now), of: AgentDescriptions.player)
      told.begin(at: AgentLoop.now)
    case .tellPlace: told.jump(to: service.position)
    case .wait, .nothing: break
    }
    if now.state == .stopped { told.begin(at: AgentLoop.now) }
    let place = told.placeToTell(
      now.state, isPlaying: now.state == .playing, isTrackTold: announcer.isAnnounced(now.entry),
      present: service.position, at: AgentLoop.now)
    if let place { emit(AgentPlayer.seeked(to: place), of: AgentDescriptions.player) }
  }

  private func turnEnded() {
    let now = face
    if let signal = AgentPlayer.stateSignal(from: reported, to: now) {
      emit(signal, of: AgentDescriptions.player)
    }
    if let signal = AgentPlayer.modesSignal(from: reported, to: now) {
      emit(signal, of: AgentDescriptions.player)
    }
    if let signal = AgentPlayer.sleepSignal(from: reported, to: now, at: AgentLoop.now) {
      emit(signal, of: AgentDescriptions.player)
    }
    emitProperties(AgentPlayer.properties.changes(from: reported, to: now), of: AgentDescriptions.player)
    emitProperties(AgentSession.properties.changes(from: reported, to: now), of: AgentDescriptions.session)
    emitProperties(AgentQueue.properties.changes(from: reported, to: now), of: AgentDescriptions.queue)
    reported = now
    announce(now)
  }

  private func emitProperties(_ changes: [(MemberName, WireValue)], of interface: InterfaceDescription) {
    guard !changes.isEmpty else { return }
    try? host.propertiesChanged(at: AgentDescriptions.path, interface.name, changes)
  }

  /// Sends a signal of the player about the file of an entry, if that is still in the queue.
  private func emit(_ entry: EntryID, _ signal: (MediaLocation) -> (MemberName, [WireValue])) {
    guard let row = service.player.queue.entry(entry) else { return }
    emit(signal(ItemService.location(row)), of: AgentDescriptions.player)
  }

  private func emit(_ signal: (MemberName, [WireValue]), of interface: InterfaceDescription) {
    try? host.emit(signal, of: interface, at: AgentDescriptions.path)
  }

  // MARK: The player and the session

  private func player() -> BusInterface {
    var interface = BusInterface(AgentDescriptions.player)
    interface.answer(AgentPlayer.Method.self) { [weak self] asked, call in
      switch asked {
      case .status, .quit, .readSettings: break
      default: try self?.checkOrdersAreTaken()
      }
      return try self?.answer(asked, call) ?? .done
    }
    interface.provide { [weak self] in
      self?.playerValue($0)
    } set: { [weak self] name, value, _ in
      try self?.checkOrdersAreTaken()
      return try self?.set(name, to: value) ?? .done
    }
    return interface
  }

  private func session() -> BusInterface {
    var interface = BusInterface(AgentDescriptions.session)
    interface.answer(AgentSession.Method.self) { [weak self] asked, call in
      try self?.checkOrdersAreTaken()
      return self?.answer(asked, call) ?? .done
    }
    interface.provide { [weak self] name in
      self.flatMap { AgentSession.properties.value(of: name, in: $0.face) }
    }
    return interface
  }

  private func checkOrdersAreTaken() throws(BusError) { if let refusal { throw refusal } }

  private func answer(_ asked: AgentSession.Call, _ call: MethodCall) -> BusReply {
    switch asked {
    case .outputs: return .later { [self] in [AgentSession.reply(try await outputs())] }
    case .setOutput(let name):
      note(call)
      return .later { [self] in
        let output = try await output(named: name)
        switch await service.choose(sink: output.sinkName) {
        case .moved: return []
        case .refused(let reason): throw AgentError.refused(reason)
        case .noServer: throw noServer
        }
      }
    }
  }

  private func output(named name: String) async throws(BusError) -> Route {
    let outputs = try await outputs()
    do throws(Outputs.Problem) { return try outputs.named(name) } catch {
      switch error {
      case .none: throw AgentError.noSuchItem("there is no output \(name.prefix(64))")
      case .several(let found):
        throw AgentError.refused("\(name.prefix(64)) may be \(found.joined(separator: " or "))")
      }
    }
  }

  private func outputs() async throws(BusError) -> Outputs {
    guard let outputs = try? await service.outputs() else { throw noServer }
    return outputs
  }

  private var noServer: BusError {
    let why = service.lastServerError.map { " (\($0))" } ?? ""
    return AgentError.noServer(
      "no sound server answers\(why); start PipeWire or PulseAudio, or say in PULSE_SERVER where it is")
  }

  private func playerValue(_ name: MemberName) -> WireValue? {
    name == "Position"
      ? AgentPlayer.position(service.position) : AgentPlayer.properties.value(of: name, in: face)
  }

  private func set(_ name: MemberName, to value: WireValue) throws -> BusReply {
    switch try AgentPlayer.properties.order(setting: name, to: value, in: face) {
    case .setVolume(let fraction): service.setVolume(fraction)
    case .setMuted(let isMuted): service.setMuted(isMuted)
    case .edit(let edit): return try editor.edit(edit)
    case .player(let order): _ = try obey(order)
    case nil: break
    }
    return .done
  }

  private func answer(_ asked: AgentPlayer.Call, _ call: MethodCall) throws(BusError) -> BusReply {
    switch asked {
    case .order(let order):
      note(call)
      let words = try answer(order)
      noteSeekButton(order, of: call.sender)
      guard order.isToPlay, service.player.isOpening else { return .now(words) }
      return .later { [self] in
        await service.soundIsOpened(within: Self.openingPatience)
        try checkForUnplayable()
        return words
      }
    case .changeVolume(let difference):
      note(call)
      service.changeVolume(by: difference)
      return .value(service.userVolume)
    case .toggleMute:
      note(call)
      service.toggleMute()
      return .value(service.playback.isMuted)
    case .sleep(let time):
      note(call)
      service.sleep(after: time)
      return .done
    case .status:
      guard !service.playback.knowsOutput else { return .value(status) }
      return .later { [self] in
        await service.outputIsKnown(within: Self.patience)
        return [status.wireValue]
      }
    case .quit:
      note(call)
      // Quits only after the answer has been sent.
      AgentLoop.after(.zero) { [quit] in quit() }
      return .done
    case .readSettings:
      return .later { [readSettings] in [.string(await readSettings()?.location ?? "")] }
    case .art(let item, let size): return .later { [self] in [.string(try await art(item, size: size))] }
    }
  }

  private var status: StatusFace {
    var status = StatusFace(face, position: service.position)
    status.sleepLeft = service.sleepLeft
    status.onlyGuards = refusal != nil
    return status
  }

  private func note(_ call: MethodCall) { service.note("bus: \(call.member) from \(call.sender)") }

  /// Notes who holds a seek button, so that the seek ends when that client is gone. A client inside this process goes with it.
  private func noteSeekButton(_ order: PlayerOrder, of caller: BusName) {
    switch order {
    case .holdSeek where host.callersStay && seekHolder?.client != caller:
      seekHolder = (caller, CallerWatch(caller, of: host) { [weak service] in service?.loseSeekButton() })
    case .beginSeek, .endSeek: seekHolder = nil
    default: break
    }
  }

  /// How long the answer to an order to play waits until a file could be opened. After that it says that the order was carried out: a disk may need longer
  /// to wake up, and then the music begins by itself.
  private static let openingPatience = Duration.seconds(2)

  /// Throws if the music has stopped because nothing in the queue can be played.
  private func checkForUnplayable() throws(BusError) {
    guard service.why == .stopped(.unplayable) else { return }
    let current = list.current.flatMap(list.entry)
    let reason = current.flatMap { service.player.whyUnplayable[$0.id] }
    let what = current.map { "'\(WireText.clean($0.location))' \(reason ?? "can't be played")" }
    throw AgentError.nothingPlayable(
      "nothing that is left in the queue can be played: \(what ?? "it is empty"); 'fermata queue' shows why of each row"
    )
  }

  private func answer(_ order: PlayerOrder) throws(BusError) -> [WireValue] {
    let waiting = try obey(order)
    switch order {
    case .play, .toggle: return .arguments(waiting)
    case .jumpAnywhere: return .arguments(service.player.queue.current?.rawValue ?? 0, waiting)
    default: return []
    }
  }

  /// Carries out an order. Returns the thing that playing waits for, such as a call; empty if it doesn't wait. Throws if the order is refused.
  private func obey(_ order: PlayerOrder) throws(BusError) -> String {
    try waiting(after: service.order(order))
  }

  /// The thing that playing waits for after an order; empty if it doesn't wait. Throws if the order was refused.
  private func waiting(after outcome: OrderOutcome) throws(BusError) -> String {
    guard let refusal = outcome.refusal else {
      // If the server has not failed yet, we are still connecting to it; that takes too little time to mention.
      let isConnecting = outcome.waiting == .server && service.lastServerError == nil
      return isConnecting ? "" : outcome.waiting?.text ?? ""
    }
    if refusal == .noOutput, !service.isServerThere { throw noServer }
    let kind: AgentError = refusal == .noSuchEntry ? .noSuchItem : .refused
    throw kind(refusal.rawValue)
  }

  /// The URI of the picture of an item of the library, or of the current track.
  private func art(_ id: MediaItem.ID?, size: Int?) async throws(BusError) -> String {
    guard let id else {
      guard let current = list.current.flatMap(list.entry) else {
        throw AgentError.refused(Refusal.nothingCurrent.rawValue)
      }
      return try await art(current, size)
    }
    guard let library = editor.search.library else {
      throw AgentError.refused("item:\(id.rawValue): there is no library to look it up in")
    }
    let item = try await library.item(id).item
    return try await art(item, at: ItemService.path(of: item), size)
  }

  /// The URI of the picture of an entry.
  private func art(_ entry: Entry, _ size: Int?) async throws(BusError) -> String {
    let known = await items.itemAsItIs(entry)
    if size == nil, let url = known.artURL { return url }
    return try await art(known.item, at: ItemService.path(entry.location), size)
  }

  private func art(_ item: MediaItem, at path: FilePath?, _ size: Int?) async throws(BusError) -> String {
    if let size {
      // Entries without an album are told apart by their titles.
      let name = item.tags.album ?? item.displayTitle
      return try await items.pictures.picture(of: path, named: name, edge: size)
    }
    guard let path, let url = try await items.pictures.picture(of: path) else {
      throw AgentError.refused("there is no picture; ask for a size to have one drawn")
    }
    return url
  }

  // MARK: The queue

  private func queue() -> BusInterface {
    var interface = BusInterface(AgentDescriptions.queue)
    interface.answer(AgentQueue.Method.self) { [weak self] asked, call in
      try self?.checkOrdersAreTaken()
      return try self?.answer(asked, call) ?? .done
    }
    interface.provide { [weak self] name in
      self.flatMap { AgentQueue.properties.value(of: name, in: $0.face) }
    }
    return interface
  }

  private var list: PlayQueue { service.player.queue }

  private func answer(_ asked: AgentQueue.Call, _ call: MethodCall) throws -> BusReply {
    switch asked {
    case .list(let row, let count): return listing.page(from: row, count: count)
    case .upcoming(let count): return listing.upcoming(count)
    case .rows(let row, let count): return .now(listing.rows(from: row, count: count).reply)
    case .items(let entries):
      let known = entries.prefix(AgentQueue.largestPage).compactMap(list.entry)
      return .value(known.map { listing.item($0).fields(inList: true) })
    case .art(let id, let size):
      guard let entry = list.entry(id) else {
        throw AgentError.noSuchItem("\(Refusal.noSuchEntry.rawValue) as \(id.rawValue); list the queue anew")
      }
      return .later { [self] in [.string(try await art(entry, size))] }
    case .jump(let entry):
      note(call)
      let moment = editor.comingJump(to: entry)
      return .later { [self] in
        let outcome = try await untilLeft(call) { try await editor.jump(to: entry, at: moment, $0) }
        return [.string(try waiting(after: outcome))]
      }
    case .save(let path, let replacing):
      note(call)
      return save(at: path, replacing: replacing, call)
    case .addToFile(let path, let sources):
      note(call)
      return try add(sources, toFile: path, call)
    case .play(let sources, let options):
      note(call)
      let moment = editor.comingOrder()
      return try editor.commit(at: moment) { [self] in play(sources, options, at: moment, call) }
    case .order(let order):
      note(call)
      return try editor.commit { [self] in try perform(order, call) }
    }
  }

  private func perform(_ order: QueueOrder, _ call: MethodCall) throws(BusError) -> BusReply {
    switch order {
    case .append(let sources): return add(sources, call) { $0.append($1) }
    case .addNext(let sources): return add(sources, call) { $0.insertNext($1) }
    case .insert(let sources, let row):
      return add(sources, call) { $0.insert($1, at: min(row - 1, $0.count)) }
    case .remove(let entries): return .now([AgentQueue.reply(try editor.remove(entries))])
    case .move(let entry, let count, let row):
      return .now([AgentQueue.reply(try editor.move(entry, count: count, to: row))])
    case .sort(let sort, let entries): return self.sort(entries, by: sort, call)
    case .clear:
      let count = list.count
      service.edit { $0.clear() }
      return .now([.uint32(UInt32(count))])
    case .crop: return .now([AgentQueue.reply(try editor.crop())])
    case .shuffle(let choice): service.edit { $0.shuffleList(choice) }
    case .shuffleNow:
      guard list.count > 1 else {
        throw AgentError.refused(
          list.isEmpty ? Refusal.emptyQueue.rawValue : "one row is in every order already")
      }
      service.edit { $0.shuffleNow() }
    case .undo: return .now(AgentQueue.reply(try editor.undo()))
    case .redo: return .now(AgentQueue.reply(try editor.redo()))
    }
    return .done
  }

  private func save(at path: FilePath, replacing: Bool, _ call: MethodCall) -> BusReply {
    // What is saved is the queue as it is when the order comes.
    let rows = editor.listing()
    return .later { [self, editor] in
      try await untilLeft(call) {
        try await editor.save(rows, at: path, replacing: replacing, $0)
      }
      return []
    }
  }

  private func add(_ sources: [MediaSource]?, toFile path: FilePath, _ call: MethodCall) throws(BusError)
    -> BusReply
  {
    if let sources {
      return .later { [self, editor] in
        let found = try await expand(sources, for: call)
        try await untilLeft(call) { try await editor.add(found.entries, toFile: path, $0) }
        return [.uint32(UInt32(clamping: found.entries.count)), found.leftOut.wireValue]
      }
    }
    // What is meant is what plays when the order comes.
    guard let current = list.current.flatMap(list.entry) else {
      throw AgentError.refused(Refusal.nothingCurrent.rawValue)
    }
    return .later { [self, editor] in
      try await untilLeft(call) { try await editor.add([current.source], toFile: path, $0) }
      return []
    }
  }

  private func sort(_ entries: [EntryID], by sort: TrackSort, _ call: MethodCall) -> BusReply {
    .later { [self] in
      try await untilLeft(call) { job in
        AgentQueue.reply(try await QueueSorter(editor, service, items).sort(entries, by: sort, job))
      }
    }
  }

  private func add(
    _ sources: [MediaSource], _ call: MethodCall,
    _ edit: @escaping @Sendable (inout PlayQueue, [EntrySource]) -> QueueChange
  ) -> BusReply {
    .later { [self, editor] in
      let found = try await expand(sources, for: call)
      return [AgentQueue.reply(editor.add { edit(&$0, found.entries) }), found.leftOut.wireValue]
    }
  }

  /// Carries out an order that looks at files. If the caller leaves the bus before the end, nothing has changed.
  private func untilLeft<Result>(
    _ call: MethodCall, _ body: (BlockingJob) async throws -> Result
  ) async throws -> Result {
    try await CallerWatch.untilLeft(
      call, of: host,
      left: { [service] in service.note("\(call.sender) left before its order was carried out") },
      body)
  }

  private func expand(_ sources: [MediaSource], for call: MethodCall) async throws -> SourceExpansion {
    try await untilLeft(call) { job in try await editor.search.expand(sources, job) }
  }

  /// Replaces the queue with sources and plays it. If nothing can be heard now, the queue is replaced all the same, and the caller learns what
  /// playing waits for, or why it was refused.
  private func play(
    _ sources: [MediaSource], _ options: PlayOptions, at moment: OrderMoment, _ call: MethodCall
  ) -> BusReply {
    .later { [self] in
      let found: SourceExpansion
      var opened: OpenedSources?
      do {
        found = try await expand(sources, for: call)
        if options.joins {
          opened = try await untilLeft(call) { try await editor.search.open(found.entries, $0) }
        }
      } catch {
        service.orderFailed(at: moment)
        throw error
      }
      let entries: [EntryID]
      let outcome: OrderOutcome
      if let opened {
        (entries, outcome) = editor.play(
          opened, at: moment, fromBeginning: options.fromBeginning, { $0.insertFirst($1) })
      } else {
        (entries, outcome) = editor.replace(with: found.entries, at: moment, options)
      }
      return [
        AgentQueue.reply(entries), .string(try waiting(after: outcome, found.leftOut)),
        found.leftOut.wireValue,
      ]
    }
  }

  /// As `waiting(after:)`. The queue is as ordered also where the order to play is refused, so then the error also says what is not in it, and why it
  /// is not stored.
  private func waiting(after outcome: OrderOutcome, _ leftOut: [String]) throws(BusError) -> String {
    do throws(BusError) { return try waiting(after: outcome) } catch {
      throw error.noting(leftOut + (face.notStored.map { ["not stored: \($0)"] } ?? []))
    }
  }
}
