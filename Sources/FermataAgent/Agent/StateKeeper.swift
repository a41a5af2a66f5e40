// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic
import StoreIO

/// Keeps what has to outlive the agent: the queue by its changes, the volume, and the place in the track.
///
/// Nothing here waits for the disk but the beginning and the end. Where the disk fails, the agent plays on and says so.
@AgentLoop
final class StateKeeper {
  private let store: Store
  private var place: PositionFile?
  private let log: Log
  private var last: PositionFile.Record?
  /// How many changes were posted, and how many of them are known to be on disk.
  private var posted = 0
  private var storedCount = 0
  /// Who waits for how many of them, in the order of their coming.
  private var waiting: [(wanted: Int, continuation: UnsafeContinuation<Void, Never>)] = []

  /// What was kept.
  let stored: StoredState

  /// Takes the folder for this agent alone and reads what is in it. Throws where another agent has it, or the disk refuses.
  static func open(_ path: String, _ log: Log) async throws(StoreError) -> StateKeeper {
    let folder = try StateFolder(path)
    let (store, stored) = try await Store.open(in: folder) { log(.error, "\($0)") }
    if let damage = stored.damage { log(.error, "\(damage)") }
    return StateKeeper(store, stored, place: try? PositionFile(in: folder), log)
  }

  private init(_ store: Store, _ stored: StoredState, place: consuming PositionFile?, _ log: Log) {
    self.store = store
    self.stored = stored
    self.place = place
    self.log = log
  }

  /// The player as it was left: paused, whatever it did.
  func player(seed: UInt64) -> Player {
    let queue = stored.queue ?? PlayQueue(seed: seed)
    guard let current = queue.current else { return Player(queue: queue) }
    let record = place?.read()
    return Player(
      queue: queue, session: Session(intent: .paused(by: .restored)),
      position: record?.entry == current ? record?.position ?? .zero : .zero)
  }

  /// Keeps what the player tells.
  func hear(_ news: PlayerNews, _ service: PlayerService) {
    switch news {
    case .queue(let change): keep(change, service.player.queue)
    case .volume(let volume): post([.volume(volume)], service.player.queue)
    case .seeked: keepPlace(service, atOnce: true)
    case .turn: keepPlace(service, atOnce: service.player.state != .playing)
    default: break
    }
  }

  private func keep(_ change: QueueChange, _ queue: PlayQueue) {
    if let command = change.command { post([.queue(command)], queue) }
  }

  /// Returns when what was told so far is on disk, or cannot be, which the log says. Who came first returns first.
  func untilStored(_ queue: PlayQueue) async {
    let wanted = posted
    guard storedCount < wanted || !waiting.isEmpty else { return }
    await withUnsafeContinuation { continuation in
      waiting.append((wanted, continuation))
      store.post([], to: queue) { [weak self] _ in
        AgentLoop.task { self?.stored(wanted) }
      }
    }
  }

  private func stored(_ count: Int) {
    storedCount = max(storedCount, count)
    while let first = waiting.first, first.wanted <= storedCount {
      waiting.removeFirst()
      first.continuation.resume()
    }
  }

  private func post(_ changes: [StoreChange], _ queue: PlayQueue) {
    posted += 1
    store.post(changes, to: queue) { [log] error in
      if let error { log(.error, "not stored: \(error)") }
    }
  }

  /// While it plays the place moves by itself, and some seconds of it may be lost; when it stands, what stands is kept.
  private func keepPlace(_ service: PlayerService, atOnce: Bool) {
    guard let entry = service.player.queue.current else { return }
    let record = PositionFile.Record(entry, service.place)
    if !atOnce {
      try? place?.refresh(record, now: AgentLoop.now)
    } else if record != last {
      try? place?.write(record, now: AgentLoop.now)
    }
    last = record
  }

  /// Writes the rest. To be called once, when nothing changes any more.
  func close(_ service: PlayerService) async {
    keepPlace(service, atOnce: true)
    do throws(StoreError) { try await store.close(saving: service.player.queue) } catch {
      log(.error, "not stored: \(error)")
    }
  }
}
