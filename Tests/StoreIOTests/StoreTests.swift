// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
@testable import SQLiteIO
@testable import StoreIO
@testable import StoreIOProbe
import Synchronization
import Testing

@Suite("A store")
struct StoreTests {
  private func open(_ folder: TemporaryDirectory, leastWork: Int = 4_096) async throws -> (Store, StoredState)
  {
    try await Store.open(in: folder.lock(), leastWork: leastWork) { Issue.record($0) }
  }

  @Test("what is restored is what was there, after every kind of edit", arguments: 0..<12 as Range<UInt64>)
  func roundTrips(seed: UInt64) async throws {
    let folder = try TemporaryDirectory()
    var queue = PlayQueue(seed: seed, repeat: .all, shuffle: ShuffleMode.allCases[Int(seed % 3)])
    var edits = Edits(seed: seed)
    for round in 0..<4 {
      let (store, stored) = try await open(folder, leastWork: seed % 2 == 0 ? 20 : 4_096)
      try #require(stored.damage == nil && stored.misfits == 0)
      if round > 0 { try #require(stored.queue?.state == queue.state, "seed \(seed), round \(round)") }
      for step in 0..<40 {
        let command = edits.next(for: queue)
        guard queue.replay(command) else { continue }
        try await store.commit([.queue(command), .volume(Double(step))], to: queue)
      }
      try await store.close(saving: queue)
    }
    var again = try #require(try await open(folder).1.queue)
    while let change = queue.undo() { #expect(again.undo() == change) }
    while let change = queue.redo() { #expect(again.redo() == change) }
    #expect(again.state == queue.state)
  }

  @Test("what is stored is nobody else's to read, also where it was before", arguments: [true, false])
  func permissions(isNew: Bool) async throws {
    let folder = try TemporaryDirectory()
    if !isNew {
      try await open(folder).0.close(saving: PlayQueue(seed: 1))
      chmod(folder.path("state.db"), 0o644)
    }
    let (store, stored) = try await open(folder)
    #expect(stored.damage == nil)
    try await store.commit([.volume(0.5)], to: PlayQueue(seed: 1))
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
      #expect(folder.mode(name) & 0o077 == 0, "\(name)")
    }
    #expect(folder.mode("state.db") == 0o600)
    try await store.close(saving: PlayQueue(seed: 1))
  }

  @Test("what was stored is opened without a write, for the start waits for it")
  func openingWritesNothing() async throws {
    let folder = try TemporaryDirectory()
    let queue = PlayQueue(seed: 1)
    try await open(folder).0.close(saving: queue)
    let (store, stored) = try await open(folder)
    #expect(stored.queue?.state == queue.state)
    #expect(folder.size("state.db-wal") == 0)
    try await store.close(saving: queue)
  }

  @Test(
    "the volume is the last one set, and nonsense is none",
    arguments: [(0.5, 0.5), (0, 0), (-1, nil), (.infinity, nil)])
  func volume(set: Double, found: Double?) async throws {
    let folder = try TemporaryDirectory()
    let queue = PlayQueue(seed: 1)
    let (store, stored) = try await open(folder)
    #expect(stored.volume == nil && stored.queue == nil)
    try await store.commit([.volume(0.9)], to: queue)
    try await store.commit([.volume(set)], to: queue)
    try await store.close(saving: queue)
    #expect(try await open(folder).1.volume == found)
  }

  @Test("changes posted together are acknowledged in their order")
  func order() async throws {
    let folder = try TemporaryDirectory()
    let (store, _) = try await open(folder, leastWork: 10)
    var queue = PlayQueue(seed: 1)
    let told = Mutex<[Int]>([])
    for number in 0..<100 {
      let change = queue.append([EntrySource("\(number)")])
      let command = try #require(change.command)
      store.post([.queue(command)], to: queue) { error in
        #expect(error == nil)
        told.withLock { $0.append(number) }
      }
    }
    try await store.close(saving: queue)
    #expect(told.withLock { $0 } == Array(0..<100))
    #expect(try await open(folder).1.queue?.count == 100)
  }

  @Test("a closed store refuses what comes too late")
  func closed() async throws {
    let folder = try TemporaryDirectory()
    let (store, _) = try await open(folder)
    let queue = PlayQueue(seed: 1)
    try await store.close(saving: queue)
    await #expect(throws: StoreError.self) { try await store.commit([.volume(1)], to: queue) }
  }

  @Test("one row in the middle of a long queue costs what one row costs")
  func cost() throws {
    let folder = try TemporaryDirectory()
    let file = try StateFile(folder.path("state.db"))
    var queue = PlayQueue(seed: 1, shuffle: .songs)
    _ = queue.append((0..<30_000).map { EntrySource("/music/artist/album/\($0).flac") })
    try file.rewrite(queue, volume: nil)
    try file.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try #require(folder.size("state.db-wal") == 0)
    for _ in 0..<50 {
      let change = queue.insert([EntrySource("/new")], at: 15_000)
      try file.commit([.queue(try #require(change.command))])
    }
    // At most two pages and the frames around them a commit.
    #expect((1..<50 * 2 * 4_200).contains(folder.size("state.db-wal")))
  }

  @Test("the file does not grow with the edits, only with the queue")
  func growth() async throws {
    let folder = try TemporaryDirectory()
    let (store, _) = try await open(folder, leastWork: 100)
    var queue = PlayQueue(seed: 1)
    for round in 0..<300 {
      let sources = (0..<500).map { EntrySource("/music/\(round)/\($0)") }
      let command = try #require(queue.replace(with: sources).command)
      try await store.commit([.queue(command)], to: queue)
    }
    // What undo holds is a hundred such lists, and two bases are there at times.
    try await store.close(saving: queue)
    #expect(queue.bulk > 50_000)
    let base = queue.state.encoded.count
    #expect(folder.size("state.db") < 3 * base + 500_000)
  }
}
