// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
@testable import SQLiteIO
@testable import StoreIO
import Testing

@Suite("A state.db that is not as it was written")
struct DamageTests {
  /// A folder with a stored queue; its store is let go of.
  private func stored(_ entries: Int = 2_000) async throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let store = try await Store.open(in: folder.lock()) { Issue.record($0) }.store
    var queue = PlayQueue(seed: 1, shuffle: .albums)
    _ = queue.append(
      (0..<entries).map { EntrySource("/music/\($0)", album: AlbumKey(rawValue: UInt64($0 / 9))) })
    try await store.commit([], to: queue)
    for _ in 0..<20 {
      let command = try #require(queue.insert([EntrySource("/later")], at: 7).command)
      try await store.commit([.queue(command)], to: queue)
    }
    _ = consume store
    try folder.waitUntilFree()
    return folder
  }

  private func open(_ folder: TemporaryDirectory) async throws -> StoredState {
    let (store, stored) = try await Store.open(in: folder.lock()) { Issue.record($0) }
    // It works, whatever was there before.
    var queue = stored.queue ?? PlayQueue(seed: 1)
    let command = try #require(queue.append([EntrySource("/one")]).command)
    try await store.commit([.queue(command)], to: queue)
    try await store.close(saving: queue)
    return stored
  }

  private func expectSetAside(_ stored: StoredState, _ folder: TemporaryDirectory, as bytes: [UInt8]?) throws
  {
    let damage = try #require(stored.damage)
    #expect(stored.queue == nil && stored.volume == nil)
    let mark = damage.error.cause == .newer ? "newer" : "damaged"
    #expect(damage.path.hasPrefix(folder.path("state.db.\(mark)-20")))
    let name = String(damage.path.dropFirst(folder.path.count + 1))
    #expect(folder.names().contains(name))
    if let bytes { #expect(try folder.bytes(name) == bytes) }
    #expect(
      damage.description.contains(damage.path) && damage.description.contains(folder.path("state.db: ")))
  }

  @Test("cut off in the middle, it is set aside and said so", arguments: [99, 512, 4_096, 20_000])
  func truncated(length: Int) async throws {
    let folder = try await stored()
    _ = try await open(folder)
    let bytes = Array(try folder.bytes("state.db").prefix(length))
    try folder.write("state.db", bytes)
    try expectSetAside(await open(folder), folder, as: bytes)
  }

  @Test("what was never a database is set aside", arguments: [100, 5_000])
  func foreign(length: Int) async throws {
    let folder = try TemporaryDirectory()
    let bytes = [UInt8](repeating: 0x41, count: length)
    try folder.write("state.db", bytes)
    try expectSetAside(await open(folder), folder, as: bytes)
  }

  @Test("an empty file is a new one")
  func empty() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("state.db", [])
    #expect(try await open(folder).damage == nil)
  }

  @Test("a folder, a pipe or a dangling link in its place is set aside")
  func noFile() async throws {
    let piped = try TemporaryDirectory()
    mkfifo(piped.path("state.db"), 0o600)
    try expectSetAside(await open(piped), piped, as: nil)
    let folder = try TemporaryDirectory()
    mkdir(folder.path("state.db"), 0o700)
    try expectSetAside(await open(folder), folder, as: nil)
    let other = try TemporaryDirectory()
    symlink("state.db", other.path("state.db"))
    try expectSetAside(await open(other), other, as: nil)
  }

  @Test(
    "a database of another program, of a newer version or without its tables is set aside",
    arguments: [
      ("PRAGMA user_version = 99", "version is 99"), ("PRAGMA user_version = 0", "version is 0"),
      ("PRAGMA application_id = 7", "another program"), ("DROP TABLE journal", "journal"),
      ("UPDATE part SET bytes = zeroblob(9)", "base"), ("DELETE FROM part", "base"),
      ("UPDATE base SET first = -1", "nowhere"), ("UPDATE base SET parts = 9223372036854775807", "nowhere"),
      ("UPDATE journal SET command = x'05' WHERE sequence = 3", "journal"),
      ("DELETE FROM journal WHERE sequence = 3", "journal"),
      ("UPDATE base SET checksum = 'x'", "base"),
      ("UPDATE base SET sequence = 9223372036854775807", "higher than anybody can count"),
      ("UPDATE base SET sequence = -1", "higher than anybody can count"),
      ("INSERT INTO part VALUES (9223372036854775807, x'00')", "higher than anybody can count"),
    ])
  func contents(change: String, reason: String) async throws {
    let folder = try await stored()
    try Database(folder.path("state.db")).run(change)
    let stored = try await open(folder)
    try expectSetAside(stored, folder, as: nil)
    #expect(stored.damage?.error.reason.contains(reason) == true, "\(stored.damage?.error.reason ?? "")")
    #expect((stored.damage?.error.cause == .newer) == (reason == "version is 99"))
  }

  @Test(
    "bytes changed anywhere give what was stored, or set the file aside", arguments: 0..<60 as Range<UInt64>)
  func mutations(seed: UInt64) async throws {
    let folder = try await stored(300)
    let whole = try await open(folder).queue?.state.entries
    var bytes = try folder.bytes("state.db")
    var chance = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    for _ in 0..<1 + seed % 5 {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int(chance >> 33) % (seed % 2 == 0 ? 100 : bytes.count)] = UInt8(truncatingIfNeeded: chance >> 24)
    }
    try folder.write("state.db", bytes)
    let stored = try await open(folder)
    if stored.damage == nil, let queue = stored.queue {
      #expect(queue.entries(at: 0..<queue.count - 1) == whole, "seed \(seed)")
    }
  }

  @Test("two damaged files of one second keep two names")
  func names() async throws {
    let folder = try TemporaryDirectory()
    for _ in 0..<3 {
      try folder.write("state.db", [1, 2, 3, 4, 5, 6, 7, 8, 9])
      _ = try await open(folder)
    }
    #expect(folder.names().count { $0.hasPrefix("state.db.damaged-") } == 3)
  }
}
