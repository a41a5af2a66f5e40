// SPDX-License-Identifier: MIT
import FermataTestKit
import PlaybackLogic
import SQLiteIO
import StoreIO
import Testing

@Suite("A store whose process ends at any instant")
struct CrashTests {
  /// The folder as the next process finds it.
  private func restored(_ folder: TemporaryDirectory) async throws -> StoredState {
    let (store, stored) = try await Store.open(in: folder.lock()) { Issue.record($0) }
    try await store.close(saving: stored.queue ?? PlayQueue(seed: 7))
    return stored
  }

  /// Burns some time that nobody can foresee.
  private func dawdle(_ turns: Int) { for turn in 0..<turns { withExtendedLifetime(turn) {} } }

  @Test("killed 200 times, it has lost no acknowledged edit, and has none that was not made")
  func kills() async throws {
    let folder = try TemporaryDirectory()
    var queue = PlayQueue(seed: 7)
    var bases = 0
    for round in 0..<200 {
      let seed = UInt64.random(in: 1 ... .max)
      let probe = try Probe(folder.path, "\(seed)")
      probe.listen(until: Int.random(in: 0..<12))
      dawdle(Int.random(in: 0..<20_000))
      probe.kill()
      probe.listenToEnd()
      try #require(probe.complaints.isEmpty, "round \(round), seed \(seed)")
      // Some of the rounds go on where the killed process was, without anybody looking.
      let stored = try await restored(folder)
      try #require(stored.damage == nil && stored.misfits == 0, "round \(round), seed \(seed)")
      let target = stored.queue?.state ?? queue.state
      var matches: [Int] = queue.state == target ? [0] : []
      for (index, command) in probe.begun.enumerated() {
        let wasDone = queue.replay(command)
        try #require(wasDone)
        // States are long: only where it can be are they compared.
        if index + 1 >= probe.acknowledged, queue.state == target { matches.append(index + 1) }
      }
      try #require(
        matches.contains { $0 >= probe.acknowledged },
        "round \(round), seed \(seed): \(probe.acknowledged) of \(probe.begun.count) were acknowledged")
      if let stored = stored.queue { queue = stored }
      bases += probe.begun.contains { $0.encoded.count > 1_000 } ? 1 : 0
      try checkPosition(folder, probe)
    }
    #expect(bases > 0)
  }

  private func checkPosition(_ folder: TemporaryDirectory, _ probe: Probe) throws {
    let position = try PositionFile(in: folder.path).read()
    guard probe.acknowledged > 0 else { return }
    #expect(position?.entry == EntryID(rawValue: 1))
    #expect(try #require(position).position >= .seconds(probe.acknowledged - 1))
  }

  @Test(
    "where the disk is full it says so, keeps what it had, and goes on when there is room",
    arguments: [90_000, 200_000])
  func fullDisk(limit: Int) async throws {
    let folder = try TemporaryDirectory()
    let probe = try Probe(folder.path, "3", "\(limit)")
    probe.listenToEnd()
    probe.wait()
    #expect(probe.complaints.contains { $0.hasPrefix("! \(folder.path)/state.db: can't write") })
    #expect(probe.acknowledged >= 5)
    var queue = PlayQueue(seed: 7)
    for command in probe.begun { _ = queue.replay(command) }
    #expect(try await restored(folder).queue?.state == queue.state)
  }

  @Test("a second agent is told who holds the folder")
  func secondAgent() async throws {
    let folder = try TemporaryDirectory()
    let probe = try Probe(folder.path, "1")
    probe.listen(until: 1)
    let error = #expect(throws: StoreError.self) { try StateFolder(folder.path) }
    #expect(error?.description.contains("already runs (process ") == true, "\(error?.description ?? "")")
    #expect(error?.operation == .lock && error?.file == folder.path)
    probe.kill()
    _ = try folder.lock()
  }
}
