// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import Glibc
import MediaModel
import PlaybackLogic
import StoreIO

/// Stores what must outlive the agent: every change of the queue, the volume, and the place in the current track.
///
/// Whoever edits the queue is answered when the edit is on disk. If it cannot be stored, the queue goes back to the one on disk, and
/// the edit is refused. Playing, skipping and the volume never wait for the disk: such changes are kept in memory, and written when
/// writing works again. An agent that never had a store edits in memory, and `trouble` says so. Loop only.
@AgentLoop
final class StateKeeper {
  /// The state of the store.
  private enum Condition {
    /// Each change is written when it is made.
    case fine(Store)
    /// A write of an edit failed, and the queue on disk is being read, to go back to it.
    case takingBack(Store, StoreError)
    /// A write failed. The queue in memory is the one on disk, plus the changes since that are not edits. Only if the disk cannot be
    /// read either, memory still has the edits. A new try comes later.
    case failing(Store, StoreError)
    /// As `failing`, while a new write is under way.
    case retrying(Store, StoreError)
    /// There is no store; this is why.
    case absent(String)
    /// As `absent`, while a store is being opened. The store is nil until it is open and the queue is being written to it.
    case opening(Store?, String)
    /// The store is closed, because the agent ends.
    case closed
  }

  /// What was on disk when the agent started.
  let stored: StoredState

  private let log: Log
  private let path: String?
  /// Where the folder is taken that could not be used when the agent started.
  private let folders = BlockingThread("state")
  private var condition: Condition
  private var places: PlaceKeeper?
  private var unstored = UnstoredOrders()
  /// Whether the queue was edited while there was no store.
  private var hasUnkeptEdits = false
  /// Those who wait for an order to be on disk, first come first. `wanted` is the number of that order.
  private var waiting: [(wanted: Int, continuation: UnsafeContinuation<StoreError?, Never>)] = []
  /// Those who wait for the outcome of the current try to write.
  private var waitingForTry: [UnsafeContinuation<Void, Never>] = []
  private var backoff = Backoff(first: .seconds(1), limit: .seconds(15))
  private var retry: LoopTimer?
  private weak var service: PlayerService?

  /// Locks the folder for this agent and reads what is stored in it. Throws only if another agent holds the folder. If the folder
  /// cannot be used, there is no store at first, and opening one is tried again from time to time.
  static func open(_ folder: FilePath?, _ log: Log) async throws(StoreError) -> StateKeeper {
    guard let folder else {
      let reason = "neither XDG_STATE_HOME nor HOME says where the queue could be kept; set HOME"
      log(.warning, "not stored: \(reason)")
      return StateKeeper(StoredState(), .absent(reason), nil, log)
    }
    do throws(StoreError) {
      let path = try text(of: folder)
      let (store, stored) = try await Store.open(in: StateFolder(path)) { log(.error, "\($0)") }
      if let damage = stored.damage { log(.error, "\(damage)") }
      return StateKeeper(stored, .fine(store), path, log)
    } catch {
      if error.isHeldByAnother { throw error }
      log(.error, "not stored: \(error.advice)")
      return StateKeeper(StoredState(), .absent(error.advice), folder.exactText, log)
    }
  }

  /// The folder's path as text, since the store takes paths as text. If the path is not valid text, the result leads to the folder
  /// through a descriptor, which stays open as long as the process.
  private static func text(of folder: FilePath) throws(StoreError) -> String {
    if let text = folder.exactText { return text }
    do throws(SystemError) { try NewFolder.make(folder) } catch {
      throw StoreError(code: error.code, .makeFolder, file: folder.text, reason: String(errno: error.code))
    }
    let held = folder.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard held >= 0 else {
      throw StoreError(code: errno, .open, file: folder.text, reason: String(errno: errno))
    }
    return "/proc/self/fd/\(held)"
  }

  private init(_ stored: StoredState, _ condition: Condition, _ path: String?, _ log: Log) {
    self.stored = stored
    self.condition = condition
    self.path = path
    self.log = log
    if case .fine = condition, let path { places = PlaceKeeper(in: path) }
  }

  /// The player with the stored queue and place. It is paused, even if it was playing when it was stored.
  func player(seed: UInt64) -> Player {
    let queue = stored.queue ?? PlayQueue(seed: seed)
    guard let current = queue.current else { return Player(queue: queue) }
    return Player(
      queue: queue, session: Session(intent: .paused(by: .restored)),
      position: places?.place(in: current) ?? .zero)
  }

  /// Stores the state of this service from now on.
  func attach(to service: PlayerService) {
    self.service = service
    service.keeper = self
    if case .absent = condition { tryLater() }
  }

  /// Why changes that are made now would be lost when the agent ends; nil if they would not.
  var trouble: String? {
    switch condition {
    case .fine, .closed: nil
    case .takingBack(_, let error), .failing(_, let error), .retrying(_, let error): error.advice
    case .absent(let reason), .opening(_, let reason): reason
    }
  }

  // MARK: What happens

  /// Notes the changes that the player reports; they are stored at the end of the turn.
  func hear(_ news: PlayerNews) {
    switch news {
    case .queue(let change): if let command = change.command { unstored.note(command) }
    case .volume(let volume): unstored.note(volume)
    case .seeked: keepPlace(atOnce: true)
    case .turn:
      endTurn()
      forgetMoment()
      if let service { keepPlace(atOnce: service.player.state != .playing) }
    default: break
    }
  }

  private func endTurn() {
    guard let order = unstored.endTurn() else { return }
    switch condition {
    case .fine(let store): post(order, to: store)
    case .failing: tryAgain()
    case .absent, .opening(nil, _):
      // The order is not needed: the whole queue is written when there is a store.
      hasUnkeptEdits = hasUnkeptEdits || order.isEdit
      unstored.forget(upTo: order.number)
    case .opening, .takingBack, .retrying, .closed: break
    }
  }

  private func post(_ order: UnstoredOrders.Order, to store: Store) {
    guard let service else { return }
    store.post(order.changes, to: service.player.queue) { error in
      AgentLoop.task { [weak self] in self?.posted(order.number, error) }
    }
  }

  private func posted(_ number: Int, _ error: StoreError?) {
    guard let error else { return stored(upTo: number) }
    // Once a write has failed, the store refuses all later orders too; the first failure is dealt with for all.
    guard case .fine(let store) = condition else { return }
    log(.error, "not stored: \(error.advice)")
    failed(store, error)
  }

  private func stored(upTo number: Int) {
    unstored.forget(upTo: number)
    forgetMoment()
    // When the store makes a deleted folder again, it does not make the file for the place.
    if let path, places?.isGone == true { places = PlaceKeeper(in: path) }
    while let first = waiting.first, first.wanted <= number {
      waiting.removeFirst()
      first.continuation.resume(returning: nil)
    }
  }

  /// Forgets the moment before the edits when no edit is left that could still fail and be taken back.
  private func forgetMoment() { if !unstored.hasEdits { service?.beforeEdits = nil } }

  // MARK: Failures

  private func failed(_ store: Store, _ error: StoreError) {
    guard unstored.hasEdits else { return wait(store, error) }
    condition = .takingBack(store, error)
    store.readBack { result in AgentLoop.task { [weak self] in self?.takeBack(to: result) } }
  }

  private func takeBack(to result: Result<PlayQueue?, StoreError>) {
    guard case .takingBack(let store, let error) = condition, let service else { return }
    do throws(StoreError) {
      var queue = try result.get() ?? PlayQueue(seed: Surroundings.seed())
      unstored.giveUpEdits(
        from: &queue, skippingIdentitiesThrough: service.player.queue.lastIdentity)
      condition = .failing(store, error)
      service.takeBack(to: queue)
      keepPlace(atOnce: true)
    } catch {
      log(.error, "what could not be stored stays in the queue, for the disk cannot be read: \(error)")
    }
    wait(store, error)
  }

  /// The queue in memory is now the one on disk or goes on from it. Everybody who waits is refused: until the next try, nobody can be
  /// told that an edit is stored.
  private func wait(_ store: Store, _ error: StoreError) {
    condition = .failing(store, error)
    let refused = waiting
    waiting = []
    for waiter in refused { waiter.continuation.resume(returning: error) }
    tryLater()
    tried()
  }

  private func tryLater() {
    guard path != nil, service != nil else { return }
    retry = AgentLoop.after(backoff.next()) { [weak self] in self?.tryAgain() }
  }

  private func tried() {
    let waiters = waitingForTry
    waitingForTry = []
    for waiter in waiters { waiter.resume() }
    service?.endTurn()
  }

  private func tryAgain() {
    retry?.cancel()
    switch condition {
    case .failing(let store, let error): write(to: store, after: error)
    case .absent(let reason):
      condition = .opening(nil, reason)
      AgentLoop.task { [weak self] in await self?.openLate() }
    default: break
    }
  }

  /// Writes all unstored changes. The volume is always written too: only a write shows that writing works again.
  private func write(to store: Store, after error: StoreError) {
    guard let service else { return }
    condition = .retrying(store, error)
    let number = unstored.last
    store.resume(unstored.changes + [.volume(service.userVolume)], to: service.player.queue) { error in
      AgentLoop.task { [weak self] in self?.retried(number, error) }
    }
  }

  private func retried(_ number: Int, _ error: StoreError?) {
    guard case .retrying(let store, _) = condition else { return }
    if let error { failed(store, error) } else { goOn(with: store, from: number) }
  }

  /// Writing works again: everything up to this order is on disk, and what came later is posted now.
  private func goOn(with store: Store, from number: Int) {
    log(.notice, "stored from now on")
    condition = .fine(store)
    backoff.reset()
    stored(upTo: number)
    if let service, !unstored.isEmpty {
      let last = unstored.last
      store.post(unstored.changes, to: service.player.queue) { error in
        AgentLoop.task { [weak self] in self?.posted(last, error) }
      }
    }
    tried()
  }

  // MARK: A store that comes late

  private func openLate() async {
    guard let path else { return }
    let report: @Sendable (StoreError) -> Void = { [log] in log(.error, "\($0)") }
    do throws(StoreError) {
      let folder = try await lateFolder(path)
      let (store, found) =
        hasUnkeptEdits
        ? try await Store.openAnew(in: folder, report: report)
        : try await Store.open(in: folder, report: report)
      if let damage = found.damage { log(.error, "\(damage)") }
      guard case .opening(_, let reason) = condition else { return }
      places = PlaceKeeper(in: path)
      if let queue = found.queue {
        // An edit made this agent's queue another one while the store was opened; the next try sets the stored queue aside.
        if hasUnkeptEdits { isAbsent(because: reason) } else { adopt(queue, found.volume, from: store) }
      } else {
        writeWhole(to: store)
      }
    } catch {
      isAbsent(because: error.advice)
    }
  }

  /// Takes the folder without holding up the loop: it could not be used before, so its disk may not answer.
  private func lateFolder(_ path: String) async throws(StoreError) -> StateFolder {
    let taken: Result<StateFolder, StoreError>
    do throws(BlockingFailure) {
      taken = try await folders.run { job in
        job.looks(at: path)
        return Result { () throws(StoreError) in try StateFolder(path) }
      }
    } catch {
      throw StoreError(.makeFolder, file: path, reason: "\(error)")
    }
    return try taken.get()
  }

  private func isAbsent(because reason: String) {
    hasUnkeptEdits = hasUnkeptEdits || unstored.hasEdits
    unstored.forget(upTo: unstored.last)
    condition = .absent(reason)
    tryLater()
    tried()
  }

  /// Takes over the queue that was found on disk, since nobody has edited this agent's own.
  private func adopt(_ queue: PlayQueue, _ volume: Double?, from store: Store) {
    let place = queue.current.flatMap { places?.place(in: $0) } ?? .zero
    service?.beforeEdits = Player.Moment(
      entry: queue.current, place: place, intent: .paused(by: .restored))
    goOn(with: store, from: unstored.last)
    service?.takeBack(to: queue)
    if let volume { service?.setVolume(volume) }
  }

  private func writeWhole(to store: Store) {
    guard case .opening(_, let reason) = condition, let service else { return }
    condition = .opening(store, reason)
    let number = unstored.last
    store.post([.volume(service.userVolume)], to: service.player.queue) { error in
      AgentLoop.task { [weak self] in
        guard let self, case .opening = condition else { return }
        if let error { isAbsent(because: error.advice) } else { goOn(with: store, from: number) }
      }
    }
  }

  // MARK: Waiting

  /// Whether an edit may begin at once.
  var isWritable: Bool {
    switch condition {
    case .fine, .absent, .opening, .closed: true
    case .takingBack, .failing, .retrying: false
    }
  }

  /// Returns when an edit may begin. If the last write failed, another one is tried first; throws if that fails too.
  func untilWritable() async throws(StoreError) {
    if case .failing = condition { tryAgain() }
    while !isWritable {
      if case .failing(_, let error) = condition { throw error }
      await withUnsafeContinuation { waitingForTry.append($0) }
    }
  }

  /// Returns when all changes so far are on disk; callers return in the order in which they called. If there is no store it returns
  /// at once, and `trouble` says so. Throws if a change could not be stored and was taken back.
  func untilStored() async throws(StoreError) {
    switch condition {
    case .absent, .opening, .closed: return
    case .failing: if !unstored.hasEdits { return await untilOthersGoOn() }
    case .fine, .takingBack, .retrying: if unstored.isEmpty { return await untilOthersGoOn() }
    }
    let wanted = unstored.last
    let error = await withUnsafeContinuation { waiting.append((wanted, $0)) }
    if let error { throw error }
  }

  /// Returns one task later: those whose wait has just ended came first, and their tasks are already queued.
  private func untilOthersGoOn() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      AgentLoop.task { continuation.resume() }
    }
  }

  // MARK: The place and the end

  private func keepPlace(atOnce: Bool) {
    guard let service, let places, let entry = service.player.queue.current else { return }
    if places.isGone, unstored.isEmpty {
      // The file for the place is gone. When the store next writes, it notices a deleted folder and makes it again.
      unstored.note(service.userVolume)
      endTurn()
    }
    places.keep(PositionFile.Record(entry, service.place), atOnce: atOnce)
  }

  /// Writes what is left and closes the store. Call it once, when nothing changes any more. Returns whether nothing is lost.
  func close() async -> Bool {
    guard let service else { return true }
    endTurn()
    keepPlace(atOnce: true)
    do throws(StoreError) { try await untilStored() } catch { log(.error, "not stored: \(error.advice)") }
    retry?.cancel()
    defer { condition = .closed }
    let queue = service.player.queue
    switch condition {
    case .fine(let store), .takingBack(let store, _), .failing(let store, _), .retrying(let store, _):
      do throws(StoreError) {
        try await store.close(saving: queue, unstored.changes)
        return places?.isKept ?? true
      } catch {
        log(.error, "not stored: \(error.advice)")
        return !unstored.isLoss
      }
    case .absent, .opening: return queue.isEmpty && !hasUnkeptEdits
    case .closed: return true
    }
  }
}
