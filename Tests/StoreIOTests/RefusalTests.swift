// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
@testable import SQLiteIO
@testable import StoreIO
import Synchronization
import Testing

@Suite("A store that cannot store")
struct RefusalTests {
  private func open(_ folder: TemporaryDirectory) async throws -> (Store, StoredState) {
    try await Store.open(in: folder.lock()) { _ in }
  }

  private func add(_ name: String, to queue: inout PlayQueue) throws -> StoreChange {
    .queue(try #require(queue.append([EntrySource(name)]).command))
  }

  private func readBack(_ store: Store) async throws -> PlayQueue? {
    try await withCheckedContinuation { continuation in
      store.readBack { continuation.resume(returning: $0) }
    }.get()
  }

  private func resume(_ store: Store, _ changes: [StoreChange], to queue: PlayQueue) async -> StoreError? {
    await withCheckedContinuation { continuation in
      store.resume(changes, to: queue) { continuation.resume(returning: $0) }
    }
  }

  @Test("a full disk is named as such, with what to do, and whatever it is, the file")
  func words() throws {
    let folder = try TemporaryDirectory()
    let file = try StateFile(folder.path("state.db"))
    try file.rewrite(PlayQueue(seed: 1), volume: nil)
    let pages = try file.database.number("PRAGMA page_count")
    try file.database.run("PRAGMA max_page_count = \(pages)")
    let long = QueueCommand.insert([EntrySource(String(repeating: "x", count: 100_000))], at: 0)
    let error = #expect(throws: StoreError.self) { try file.commit([.queue(long)]) }
    #expect(error?.advice == "\(folder.path)/state.db: disk is full; make room")
    #expect(try file.restore().queue?.isEmpty == true)
  }

  @Test("a folder that was deleted is made again with all that was stored, and goes on being stored")
  func deletedFolder() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("state")
    let (store, _) = try await Store.open(in: StateFolder(path)) { _ in }
    var queue = PlayQueue(seed: 1)
    try await store.commit([try add("/one", to: &queue), .volume(0.25)], to: queue)
    try await store.commit([try add("/two", to: &queue)], to: queue)
    store.keep(.init(EntryID(rawValue: 1), .seconds(7), isWanted: true)) { _ in }
    try await store.commit([try add("/three", to: &queue)], to: queue)
    for name in ["state.db", "state.db-wal", "state.db-shm", "lock", "position"] {
      unlink("\(path)/\(name)")
    }
    try #require(rmdir(path) == 0)
    try await store.commit([try add("/four", to: &queue)], to: queue)
    #expect(try PositionFile(in: path).read() == .init(EntryID(rawValue: 1), .seconds(7), isWanted: true))
    // As after a crash: what is on disk now is all there is.
    let copy = folder.path("copy")
    mkdir(copy, 0o700)
    for name in ["state.db", "state.db-wal"] {
      try folder.write("copy/\(name)", try folder.bytes("state/\(name)"))
    }
    let (other, found) = try await Store.open(in: StateFolder(copy)) { _ in }
    #expect(found.queue?.state == queue.state && found.volume == 0.25)
    #expect(throws: StoreError.self) { try StateFolder(path) }
    try await store.close(saving: queue)
    try await other.close(saving: queue)
  }

  @Test(
    "a place that is kept tells nobody, one that is not tells each time, and the first that is kept again tells once"
  )
  func tellsOfPlaces() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("state")
    let (store, _) = try await Store.open(in: StateFolder(path)) { _ in }
    let queue = PlayQueue(seed: 1)
    let told = Mutex<[StateKeeping.PlaceOutcome]>([])
    var seconds = 0
    /// Keeps two places, one after the other, and returns what was told.
    func keepTwo() async -> [StateKeeping.PlaceOutcome] {
      for _ in 0..<2 {
        seconds += 1
        store.keep(.init(EntryID(rawValue: 1), .seconds(seconds), isWanted: true)) { outcome in
          told.withLock { $0.append(outcome) }
        }
        await withCheckedContinuation { done in store.readBack { _ in done.resume() } }
      }
      return told.withLock { told in
        defer { told = [] }
        return told
      }
    }
    #expect(await keepTwo() == [])
    // A folder in the file's place: it can be neither written nor made again.
    try #require(unlink("\(path)/position") == 0 && mkdir("\(path)/position", 0o700) == 0)
    #expect(await keepTwo() == [.failed, .failed])
    try #require(rmdir("\(path)/position") == 0)
    #expect(await keepTwo() == [.kept])
    #expect(await keepTwo() == [])
    try await store.close(saving: queue)
  }

  @Test(
    "whichever of its files is deleted, what comes after is found by the next agent",
    arguments: ["-wal", "", "-shm"])
  func deletedFile(suffix: String) async throws {
    let folder = try TemporaryDirectory()
    let (store, _) = try await open(folder)
    var queue = PlayQueue(seed: 1)
    try await store.commit([try add("/one", to: &queue)], to: queue)
    unlink(folder.path("state.db\(suffix)"))
    try await store.commit([try add("/two", to: &queue)], to: queue)
    let copy = try TemporaryDirectory()
    for name in ["state.db", "state.db-wal"] { try copy.write(name, try folder.bytes(name)) }
    let (other, found) = try await open(copy)
    #expect(found.queue?.state == queue.state)
    try await other.close(saving: queue)
    try await store.close(saving: queue)
  }

  @Test("what stands in the place of a deleted state.db is set aside")
  func replacedFile() async throws {
    let folder = try TemporaryDirectory()
    let (store, _) = try await open(folder)
    var queue = PlayQueue(seed: 1)
    try await store.commit([try add("/one", to: &queue)], to: queue)
    unlink(folder.path("state.db"))
    try folder.write("state.db", "mine")
    try await store.commit([try add("/two", to: &queue)], to: queue)
    #expect(folder.names().count { $0.hasPrefix("state.db.damaged-") && !$0.hasSuffix("-wal") } == 1)
    try await store.close(saving: queue)
    #expect(try await open(folder).1.queue?.state == queue.state)
  }

  @Test(
    "after a failure nothing is stored until somebody brings all that is missing; what was stored is read back"
  )
  func resuming() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("state")
    let (store, _) = try await Store.open(in: StateFolder(path)) { _ in }
    var queue = PlayQueue(seed: 1)
    try await store.commit([try add("/one", to: &queue)], to: queue)
    let stored = queue
    // In the place of the folder is something that no folder can be made of.
    try #require(rename(path, folder.path("moved")) == 0)
    try folder.write("state", "in the way")
    for name in ["/two", "/three"] {
      let change = try add(name, to: &queue)
      await #expect(throws: StoreError.self) { try await store.commit([change], to: queue) }
    }
    unlink(path)
    await #expect(throws: StoreError.self) { try await store.commit([.volume(1)], to: queue) }
    #expect(try await readBack(store)?.state == stored.state)
    queue = stored
    let change = try add("/four", to: &queue)
    #expect(await resume(store, [change, .volume(0.5)], to: queue) == nil)
    try await store.commit([try add("/five", to: &queue)], to: queue)
    try await store.close(saving: queue)
    let (other, found) = try await Store.open(in: StateFolder(path)) { _ in }
    #expect(found.queue?.state == queue.state && found.volume == 0.5)
    try await other.close(saving: queue)
  }

  @Test("who begins anew has what is there set aside, if that is a queue", arguments: [true, false])
  func anew(hasQueue: Bool) async throws {
    let folder = try TemporaryDirectory()
    if hasQueue { try await open(folder).0.close(saving: PlayQueue(seed: 1)) }
    let (store, stored) = try await Store.open(in: folder.lock(), isAnew: true) { _ in }
    #expect(stored.queue == nil && (stored.damage != nil) == hasQueue)
    #expect(folder.names().contains { $0.hasPrefix("state.db.damaged-") } == hasQueue)
    try await store.close(saving: PlayQueue(seed: 2))
  }
}
