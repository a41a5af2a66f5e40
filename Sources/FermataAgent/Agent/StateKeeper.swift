// SPDX-License-Identifier: MIT
import AgentLoop
import MediaModel
import PlaybackLogic
import SQLiteIO
import StoreIO
import UserFiles

/// Stores everything that must outlive the agent: every change of the queue, the volume, and the place in the current track.
///
/// `StateKeeping` decides; this object carries out its effects with the store, the player and the waiting callers.
/// `close` ends it.
@AgentLoop
final class StateKeeper {
  /// The state that was on disk when the store was opened; empty if there was none, or if the folder could not be used yet.
  private(set) var stored: StoredState

  private let log: Log
  private let path: String?
  /// The thread that locks the state folder later, if the folder could not be used when the agent started.
  private let folders = BlockingThread("state")
  private var keeping: StateKeeping
  private var store: Store?
  private var timer: LoopTimer?
  private var callers: [StateKeeping.Caller: Promise<StoreError?>] = [:]
  private var lastCaller = 0
  private let ending = Promise<Bool>()
  private weak var service: PlayerService?
  /// Called when the player has got the queue of a store that could be opened only after the start.
  var adopted: @AgentLoop () -> Void = {}

  /// Locks the state folder for this agent and reads what is stored in it. Throws only if another agent has locked it. If the folder cannot be used,
  /// there is no store at first, and opening one is tried again from time to time.
  static func open(_ folder: FilePath?, _ log: Log) async throws(StoreError) -> StateKeeper {
    guard let folder else {
      let reason = "neither XDG_STATE_HOME nor HOME says where the queue could be kept; set HOME"
      log(.warning, "not stored: \(reason)")
      return StateKeeper(absentBecause: reason, nil, log)
    }
    do throws(StoreError) {
      let path = try StateFolder.text(of: folder)
      let (store, stored) = try await Store.open(in: StateFolder(path)) { log(.error, "\($0)") }
      if let damage = stored.damage { log(.error, "\(damage)") }
      if stored.misfits > 0 {
        log(.warning, "\(stored.misfits) of the last edits of the queue do not fit it, and are left out")
      }
      return StateKeeper(stored, store, path, log)
    } catch {
      if error.isHeldByAnother { throw error }
      log(.error, "not stored: \(error.advice)")
      return StateKeeper(absentBecause: error.advice, folder.exactText, log)
    }
  }

  private init(_ stored: StoredState, _ store: Store, _ path: String, _ log: Log) {
    self.stored = stored
    self.store = store
    self.path = path
    self.log = log
    keeping = StateKeeping(volume: stored.volume ?? 1)
  }

  private init(absentBecause reason: String, _ path: String?, _ log: Log) {
    stored = StoredState()
    self.path = path
    self.log = log
    keeping = StateKeeping(absentBecause: reason, mayOpenLater: path != nil, volume: 1)
  }

  /// The player with the stored queue and place. It is paused, even if it was playing when it was stored. If no queue was stored, `seed` is that of
  /// the new queue's shuffling.
  func player(seed: UInt64) -> Player {
    let queue = stored.queue ?? PlayQueue(seed: seed)
    guard queue.current != nil else { return Player(queue: queue) }
    return Player(
      queue: queue, session: Session(intent: .paused(by: .restored)), position: stored.position(in: queue))
  }

  /// Stores the state of `service` from now on.
  func attach(to service: PlayerService) {
    self.service = service
    service.keeper = self
    send(.begin)
  }

  /// Why a change that is made now would be lost when the agent ends; nil if it would be stored.
  var trouble: String? { keeping.trouble }

  /// Whether an edit of the queue may begin at once: the last edit could be stored, or nothing is stored at all.
  var isWritable: Bool { keeping.isWritable }

  /// Returns when an edit of the queue may begin. If the last write to disk failed, another one is tried first; throws if that fails too.
  func untilWritable() async throws(StoreError) { try await answer { .wantsToEdit($0) } }

  /// Returns when all changes of the queue so far are on disk; callers return in the order in which they called. If there is no store it returns at
  /// once, and `trouble` says so. Throws if a change could not be stored and was taken back.
  func untilStored() async throws(StoreError) { try await answer { .waits($0) } }

  private func answer(to question: (StateKeeping.Caller) -> StateKeeping.Event) async throws(StoreError) {
    lastCaller += 1
    let caller = lastCaller
    let answer = Promise<StoreError?>()
    callers[caller] = answer
    send(question(caller))
    if let error = await answer.get() { throw error }
  }

  /// Writes the changes that are not stored yet and closes the store. Call it once, when nothing changes any more. Returns whether everything was
  /// stored.
  func close() async -> Bool {
    guard let service else { return true }
    send(.turnEnded)
    keepPlace(atOnce: true)
    send(.end(isQueueEmpty: service.player.queue.isEmpty))
    return await ending.get()
  }

  // MARK: Events

  /// Notes what the player reports. Changes of the queue and the volume are stored together when it reports `.turn`, the end of what happened at one
  /// time.
  func hear(_ news: PlayerNews) {
    switch news {
    case .queue(let change): if let command = change.command { send(.changed(command)) }
    case .volume(let volume): send(.volume(volume))
    case .seeked: keepPlace(atOnce: true)
    case .turn:
      send(.turnEnded)
      forgetMoment()
      if let service { keepPlace(atOnce: service.player.state != .playing) }
    default: break
    }
  }

  private func keepPlace(atOnce: Bool) {
    guard let service, let entry = service.player.queue.current else { return }
    let isWanted = stored.isWanted(service.player.session.intent, in: service.player.queue)
    let record = PositionFile.Record(entry, service.place, isWanted: isWanted)
    send(.place(record, atOnce: atOnce, at: AgentLoop.now))
  }

  private func send(_ event: StateKeeping.Event) {
    for effect in keeping.handle(event) { perform(effect) }
  }

  /// Passes an answer of the store to `keeping`, on the loop. Any thread may call it.
  private nonisolated func answered(_ event: StateKeeping.Event) {
    AgentLoop.task { [weak self] in
      self?.send(event)
      self?.forgetMoment()
    }
  }

  /// Lets the player service forget what played before the edits (`beforeEdits`) when no edit is left that could still be taken back.
  private func forgetMoment() { if !keeping.hasUnstoredEdits { service?.beforeEdits = nil } }

  // MARK: Effects

  private func perform(_ effect: StateKeeping.Effect) {
    switch effect {
    case .write(let changes, let turn):
      guard let service else { return }
      store?.post(changes, to: service.player.queue) { [self] in answered(.wrote(upTo: turn, $0)) }
    case .catchUp(let changes, let turn):
      guard let service else { return }
      store?.resume(changes, to: service.player.queue) { [self] in answered(.caughtUp(upTo: turn, $0)) }
    case .close(let changes): close(changes)
    case .readBack: store?.readBack { [self] result in AgentLoop.task { self.wasReadBack(result) } }
    case .takeBack(let queue):
      service?.takeBack(to: queue)
      keepPlace(atOnce: true)
    case .open(let isAnew): AgentLoop.task { [weak self] in await self?.openLate(isAnew: isAnew) }
    case .adopt(let queue, let volume): adopt(queue, volume)
    case .letGo: store = nil
    case .writePlace(let record): store?.keep(record) { [self] in answered(.placeWritten($0)) }
    // A task resumes the caller, so that a caller that is answered at once does not go on before those that waited.
    case .answer(let caller, let error):
      AgentLoop.task { [self] in callers.removeValue(forKey: caller)?.keep(error) }
    case .timer(let delay): set(delay)
    case .say(let remark): say(remark)
    case .announce: service?.endTurn()
    case .ended(let isSafe):
      ending.keep(isSafe)
    }
  }

  private func close(_ changes: [StoreChange]) {
    guard let service, let store else { return }
    let queue = service.player.queue
    AgentLoop.task { [self] in
      do throws(StoreError) {
        try await store.close(saving: queue, changes)
        send(.closed(nil))
      } catch {
        send(.closed(error))
      }
    }
  }

  private func wasReadBack(_ result: Result<PlayQueue?, StoreError>) {
    guard let service else { return }
    switch result {
    case .success(let queue):
      send(
        .readBack(
          queue ?? PlayQueue(seed: .random(in: .min ... .max)),
          lastIdentity: service.player.queue.lastIdentity))
    case .failure(let error): send(.unreadable(error))
    }
    forgetMoment()
  }

  private func set(_ delay: Duration?) {
    timer?.cancel()
    timer = delay.map { delay in AgentLoop.after(delay) { [weak self] in self?.send(.retryTimer) } }
  }

  private func say(_ remark: StateKeeping.Remark) {
    switch remark {
    case .notStored(let error): log(.error, "not stored: \(error.advice)")
    case .unreadable(let error):
      log(.error, "what was refused stays in the queue until the disk can be read: \(error)")
    case .storedAgain: log(.notice, "stored from now on")
    }
  }

  // MARK: A store that comes late

  private func openLate(isAnew: Bool) async {
    guard let path else { return }
    let report: @Sendable (StoreError) -> Void = { [log] in log(.error, "\($0)") }
    do throws(StoreError) {
      let folder = try await lateFolder(path)
      let (store, found) = try await Store.open(in: folder, isAnew: isAnew, report: report)
      if let damage = found.damage { log(.error, "\(damage)") }
      self.store = store
      stored = found
      send(.opened(found.queue, volume: found.volume))
    } catch {
      send(.notOpened(reason: error.advice))
    }
  }

  /// Locks the state folder on a thread, because the folder could not be used before: its disk may still not answer.
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

  /// Replaces the agent's queue by the stored one, when the store could be opened only after the start. This happens only if nobody has edited the
  /// agent's own queue by then.
  private func adopt(_ queue: PlayQueue, _ volume: Double?) {
    service?.beforeEdits = Player.Moment(
      entry: queue.current, place: stored.position(in: queue), intent: .paused(by: .restored))
    service?.takeBack(to: queue)
    if let volume { service?.setVolume(volume) }
    adopted()
  }
}

/// The outcome of locking and opening the state folder at the start: it decides whether this process becomes an agent or ends.
@AgentLoop
enum StateOpening {
  /// The agent can start. The keeper has the stored state, or no store where the folder cannot be used.
  case open(StateKeeper)
  /// The process cannot or need not run: it ends with this exit status.
  case over(Int32)

  /// How long to wait for a locked folder: a little more than the 5 s in which an agent that is ending must be done.
  private static let patience = Duration.seconds(6)
  private static let pause = Duration.milliseconds(50)
  /// For how long an agent on the bus may be one that was just killed: the bus and the folder's lock may still show it for a moment.
  private static let traceTime = Duration.seconds(2)

  /// Locks and opens the state folder. A folder that another agent has locked is tried again for up to `patience`, because an agent that ends leaves
  /// the bus before it lets go of its folder. If it is released, this agent starts. If an agent is on the bus, this one is not needed: the outcome is
  /// `over(0)` with `unlessRunning`, and otherwise an error. All errors are logged, and their status is 1.
  static func take(_ log: Log, unlessRunning: Bool) async -> StateOpening {
    let begun = AgentLoop.now
    while true {
      do throws(StoreError) {
        return .open(try await StateKeeper.open(UserFolders.stateFolder, log))
      } catch {
        let other = await BusService.isAgentThere()
        if unlessRunning, other == true, AgentLoop.now >= begun + traceTime {
          log(.info, "an agent runs already: this one is not needed")
          return .over(0)
        }
        let wait = unlessRunning || other == false ? patience : traceTime
        guard AgentLoop.now < begun + wait else {
          log(.error, "\(error)")
          return .over(1)
        }
      }
      await AgentLoop.pause(pause)
    }
  }
}
