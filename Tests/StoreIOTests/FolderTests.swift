// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
@testable import SQLiteIO
@testable import StoreIO
import Testing

@Suite("The state folder")
struct FolderTests {
  @Test("it and what is above it are made for this user alone")
  func makes() throws {
    let above = try TemporaryDirectory()
    let folder = try StateFolder(above.path("state/fermata/"))
    #expect(folder.path == above.path("state/fermata"))
    #expect(above.mode("state") == 0o700 && above.mode("state/fermata") == 0o700)
    #expect(above.mode("state/fermata/lock") == 0o600)
  }

  @Test("one that others could enter is closed to them")
  func narrows() throws {
    let folder = try TemporaryDirectory()
    chmod(folder.path, 0o755)
    _ = try StateFolder(folder.path)
    #expect(folder.mode() == 0o700)
  }

  @Test(
    "a file in its place, or a place where none can be, is an error that names it",
    arguments: ["file", "file/below"])
  func refuses(name: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("file", [1])
    let error = #expect(throws: StoreError.self) { try StateFolder(folder.path(name)) }
    #expect(error?.operation == .makeFolder && error?.code == ENOTDIR)
    #expect(error?.description.hasPrefix(folder.path("file")) == true)
  }

  @Test("it is held once, and free again when its owner lets go")
  func locks() throws {
    let folder = try TemporaryDirectory()
    let first = try StateFolder(folder.path, program: "fermata agent")
    let error = #expect(throws: StoreError.self) { try StateFolder(folder.path) }
    #expect(error?.reason.hasPrefix("an agent already runs (process \(getpid()))") == true)
    withExtendedLifetime(first) {}
  }

  @Test("a dead agent's lock, which a child has for another instant, is waited for")
  func leftBehind() throws {
    let folder = try TemporaryDirectory()
    // No process has this number: it is beyond the largest.
    try folder.write("lock", Array("fermata (process 2147483646)\n".utf8))
    let child = open(folder.path("lock"), O_RDWR | O_CLOEXEC)
    try #require(child >= 0 && flock(child, LOCK_EX) == 0)
    // On a thread of its own: the shared ones may all be busy for longer than the lock is waited for.
    let release = OtherThread {
      poll(nil, 0, 20)
      close(child)
    }
    defer { release.join() }
    _ = try StateFolder(folder.path)
  }

  @Test("its owner lets go of it even where a child that was just started has a copy of the descriptor")
  func copied() throws {
    let folder = try TemporaryDirectory()
    var copy: Int32 = -1
    do {
      let locked = try StateFolder(folder.path)
      let held = (0..<1_024).first { folder.isFile("lock", openAs: $0) }
      copy = fcntl(try #require(held), F_DUPFD_CLOEXEC, 0)
      withExtendedLifetime(locked) {}
    }
    defer { close(copy) }
    #expect(folder.isFile("lock", openAs: copy))
    _ = try StateFolder(folder.path)
  }

  @Test("a link in the place of the lock is not followed")
  func link() throws {
    let folder = try TemporaryDirectory()
    symlink(folder.path("elsewhere"), folder.path("lock"))
    #expect(throws: StoreError.self) { try StateFolder(folder.path) }
    #expect(!folder.names().contains("elsewhere"))
  }
}

@Suite("The position file")
struct PositionFileTests {
  private typealias Record = PositionFile.Record

  @Test(
    "what was written last is read, to the microsecond",
    arguments: [0, 1, 1_234_567, 86_400_000_000] as [Int64])
  func roundTrip(microseconds: Int64) throws {
    let folder = try TemporaryDirectory()
    let file = try PositionFile(in: folder.path)
    let first = file.read()
    #expect(first == nil)
    try file.write(Record(EntryID(rawValue: 1), .seconds(900), isWanted: true))
    for isWanted in [true, false, nil] {
      let record = Record(EntryID(rawValue: .max), .microseconds(microseconds), isWanted: isWanted)
      try file.write(record)
      #expect(file.read() == record)
      #expect(folder.size("position") == 64)
      #expect(try PositionFile(in: folder.path).read() == record)
    }
  }

  @Test("it is known where somebody has deleted it")
  func gone() throws {
    let folder = try TemporaryDirectory()
    let file = try PositionFile(in: folder.path)
    let wasGone = file.isGone
    unlink(folder.path("position"))
    let isGone = file.isGone
    #expect(!wasGone && isGone)
    // Somebody may also move the folder, and make another one.
    let other = try TemporaryDirectory()
    try other.makeFolder("a")
    let moved = try PositionFile(in: other.path("a"))
    rename(other.path("a"), other.path("b"))
    let isMoved = moved.isGone
    try other.write("a/position", "")
    let isAnother = moved.isGone
    #expect(isMoved && isAnother)
  }

  @Test("a torn or foreign record is none")
  func damage() throws {
    let bytes = PositionFile.encode(Record(EntryID(rawValue: 7), .seconds(3), isWanted: nil))
    #expect(PositionFile.decode(bytes) != nil)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x10
      #expect(PositionFile.decode(other) == nil, "byte \(index)")
    }
    #expect(PositionFile.decode([UInt8](repeating: 0, count: 64)) == nil)
    let folder = try TemporaryDirectory()
    for length in [0, 1, 63] {
      try folder.write("position", Array(bytes.prefix(length)))
      #expect(try PositionFile(in: folder.path).read() == nil)
    }
    try folder.write("position", bytes + [1, 2, 3])
    #expect(try PositionFile(in: folder.path).read()?.position == .seconds(3))
  }
}
