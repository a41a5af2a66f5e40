// SPDX-License-Identifier: MIT
import Glibc
import PlaybackLogic
import SQLiteIO

/// The open `state.db`: reads the stored queue and volume, and writes their changes. Belongs to the store's thread; every call blocks.
final class StateFile {
  let database: Database
  /// The number of the last command in the journal.
  private(set) var sequence: Int64 = 0
  /// The number of the last command that the base (the queue as it was last written whole) includes; -1 if there is no base.
  private var wholeUpTo: Int64 = -1
  /// Whether the base (the queue as it was last written whole) includes every command, so that the journal adds nothing to it.
  var isWhole: Bool { sequence == wholeUpTo }
  /// Whether something was committed since the file was opened. SQLite then keeps a second file (`-wal`) beside it until it is closed.
  private var hasJournal = false
  /// Whether the next agent would not find the committed changes, because somebody deleted, moved or replaced a file.
  var isLost: Bool {
    unsafe database.hasMoved || hasJournal && access(database.path + "-wal", F_OK) != 0
  }
  /// The keys of the rows that hold the base, the queue as it was last written whole.
  private var base: Range<Int64> = 0..<0
  private let addCommand: Statement
  private let addPart: Statement
  private let setBase: Statement
  private let setVolume: Statement
  private let dropCommands: Statement
  private let dropParts: Statement

  /// Opens the file, or makes it.
  init(_ path: String) throws(StoreError) {
    Database.makePrivate(path)
    database = try Database(path)
    try Schema.configure(database)
    try Schema.migrate(database)
    try database.check()
    addCommand = try database.prepare("INSERT INTO journal VALUES (?1, ?2, ?3)")
    addPart = try database.prepare("INSERT INTO part VALUES (?1, ?2)")
    setBase = try database.prepare("REPLACE INTO base VALUES (1, ?1, ?2, ?3, ?4)")
    setVolume = try database.prepare("REPLACE INTO note VALUES ('volume', ?1)")
    dropCommands = try database.prepare("DELETE FROM journal WHERE sequence <= ?1")
    dropParts = try database.prepare(
      "DELETE FROM part WHERE key IN (SELECT key FROM part WHERE key < ?1 OR key >= ?2 LIMIT ?3)")
  }

  // MARK: Reading

  /// Reads what was stored: the base (the queue as it was last written whole), and the journal's commands repeated on it. Throws if either is
  /// damaged.
  func restore() throws(StoreError) -> StoredState {
    var stored = StoredState()
    stored.volume = try volume()
    let row = try database.prepare("SELECT first, parts, sequence, checksum FROM base")
    guard try row.step() else { return stored }
    let (first, parts) = (row.number(0), row.number(1))
    guard first > 0, parts > 0, first < Int64.max / 2, parts < Int64.max / 2 else {
      throw .damage(in: database.path, "the base of the queue is nowhere")
    }
    base = first..<first + parts
    sequence = row.number(2)
    // New numbers are counted on from these, so these must not be near the largest possible number.
    let last = try database.number("SELECT max(key) FROM part")
    guard (0..<Int64.max / 2).contains(sequence), last < Int64.max / 2 else {
      throw .damage(in: database.path, "its numbers are higher than anybody can count")
    }
    wholeUpTo = sequence
    let bytes = try baseBytes()
    guard Checksum(bytes).value == UInt64(bitPattern: row.number(3)), let state = QueueState(encoded: bytes)
    else {
      throw .damage(in: database.path, "the base of the queue is not as it was written")
    }
    var queue = PlayQueue(resuming: state)
    stored.misfits = try replayJournal(on: &queue)
    stored.queue = queue
    return stored
  }

  /// The highest volume that is accepted from the file: more than any mixer allows.
  private static let loudest = 100.0

  private func volume() throws(StoreError) -> Double? {
    let row = try database.prepare("SELECT value FROM note WHERE name = 'volume'")
    guard try row.step() else { return nil }
    let volume = row.real(0)
    return (0...Self.loudest).contains(volume) ? volume : nil
  }

  private func baseBytes() throws(StoreError) -> [UInt8] {
    let rows = try database.prepare("SELECT bytes FROM part WHERE key >= ?1 AND key < ?2 ORDER BY key")
    try rows.bind(base.lowerBound, base.upperBound)
    var bytes: [UInt8] = []
    while try rows.step() { bytes += rows.bytes(0) }
    return bytes
  }

  private func replayJournal(on queue: inout PlayQueue) throws(StoreError) -> Int {
    let rows = try database.prepare(
      "SELECT sequence, command, checksum FROM journal WHERE sequence > ?1 ORDER BY sequence")
    try rows.bind(sequence)
    var misfits = 0
    while try rows.step() {
      let bytes = rows.bytes(1)
      guard rows.number(0) == sequence + 1, Checksum(bytes).value == UInt64(bitPattern: rows.number(2)),
        let command = QueueCommand(encoded: bytes)
      else { throw .damage(in: database.path, "the journal of the queue is not as it was written") }
      sequence += 1
      if !queue.replay(command) { misfits += 1 }
    }
    return misfits
  }

  // MARK: Writing

  /// Stores all of these changes or, if it throws, none.
  func commit(_ changes: [StoreChange]) throws(StoreError) {
    var next = sequence
    try database.transaction { () throws(StoreError) in
      for change in changes {
        switch change {
        case .volume(let volume): try set(volume)
        case .queue(let command):
          next += 1
          try append(command.encoded, next)
        }
      }
    }
    sequence = next
    hasJournal = true
  }

  private func append(_ bytes: [UInt8], _ number: Int64) throws(StoreError) {
    try addCommand.run(number, bytes, Int64(bitPattern: Checksum(bytes).value))
  }

  private func set(_ volume: Double) throws(StoreError) {
    try setVolume.run(volume)
  }

  /// Prepares to write this queue whole, as a new base. It must be the queue after all commands so far. Nothing of it is written yet.
  func base(of queue: PlayQueue) throws(StoreError) -> NewBase {
    let end = try max(base.upperBound, database.number("SELECT max(key) + 1 FROM part"), 1)
    return NewBase(bytes: queue.state.encoded, first: end, sequence: sequence)
  }

  /// Writes the next part of a base, a queue that is being written whole. Returns whether it was the last part.
  func writePart(of new: inout NewBase) throws(StoreError) -> Bool {
    let bytes = new.nextBytes
    try database.transaction { () throws(StoreError) in try add(bytes, new.next) }
    return new.advance()
  }

  private func add(_ bytes: ArraySlice<UInt8>, _ key: Int64) throws(StoreError) {
    try addPart.run(key, bytes)
  }

  /// Makes a base, the whole queue whose parts are all written, the current one, and deletes the commands that it includes from the journal.
  func adopt(_ new: NewBase) throws(StoreError) {
    try database.transaction { () throws(StoreError) in try install(new, dropping: new.sequence) }
    (base, wholeUpTo) = (new.keys, new.sequence)
  }

  /// Writes the whole queue and the volume and empties the journal, all or nothing. Used when the journal lacks a command.
  func rewrite(_ queue: PlayQueue, volume: Double?) throws(StoreError) {
    var new = try base(of: queue)
    try database.transaction { () throws(StoreError) in
      repeat { try add(new.nextBytes, new.next) } while !new.advance()
      try install(new, dropping: .max)
      if let volume { try set(volume) }
    }
    hasJournal = true
    (base, wholeUpTo) = (new.keys, new.sequence)
  }

  private func install(_ new: NewBase, dropping last: Int64) throws(StoreError) {
    try setBase.run(new.keys.lowerBound, Int64(new.keys.count), new.sequence, Int64(bitPattern: new.checksum))
    try dropCommands.run(last)
  }

  /// Removes some parts that do not belong to the base, the queue as it was last written whole, or makes the file smaller if much of it is unused.
  /// Returns whether there may be more to do.
  func tidy() throws(StoreError) -> Bool {
    try dropParts.run(base.lowerBound, base.upperBound, Int64(4))
    if try database.number("SELECT changes()") > 0 { return true }
    // The next time that the queue is written whole, free pages are used again. So the file is made smaller only if it has many of them.
    let (free, all) = (try database.number("PRAGMA freelist_count"), try database.number("PRAGMA page_count"))
    guard free > 256, free > all / 2 else { return false }
    try database.run("PRAGMA incremental_vacuum(256)")
    return true
  }
}

/// A base that is being written to the disk: the whole queue as it was after one command. It is cut into parts, so that commits can be made between
/// them.
struct NewBase {
  /// The size of a part in bytes: small enough that a commit does not wait long behind one.
  static let partSize = 256 << 10

  private let bytes: [UInt8]
  private let first: Int64
  /// The number of the last command that the base includes.
  let sequence: Int64
  let checksum: UInt64
  private var written = 0

  init(bytes: [UInt8], first: Int64, sequence: Int64) {
    self.bytes = bytes
    self.first = first
    self.sequence = sequence
    checksum = Checksum(bytes).value
  }

  private var parts: Int { max(1, (bytes.count + Self.partSize - 1) / Self.partSize) }
  var keys: Range<Int64> { first..<first + Int64(parts) }
  /// The key of the row in which the next part is stored.
  var next: Int64 { first + Int64(written) }
  var nextBytes: ArraySlice<UInt8> {
    bytes[min(bytes.count, written * Self.partSize)..<min(bytes.count, (written + 1) * Self.partSize)]
  }

  /// Goes on to the next part. Returns whether the last part is done.
  mutating func advance() -> Bool {
    written += 1
    return written == parts
  }
}

/// A checksum that finds damage, but not forgery. It is FNV over words, with one addition: after each word the upper bits are mixed into the lower
/// ones, because a multiplication carries a changed bit only upwards.
struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ bytes: ArraySlice<UInt8>) { add(bytes) }
  init(_ bytes: [UInt8]) { add(bytes[...]) }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        unsafe add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      add(unsafe buffer[whole...].reduce(0) { $0 << 8 | UInt64($1) })
      add(UInt64(buffer.count))
    }
  }

  private mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01b3
    value ^= value >> 29
  }
}

/// The layout of `state.db`, and the steps that bring an old file up to date.
///
/// `base` is the whole queue as it was after the command with the number `sequence`. It is cut into parts that have successive keys. The `journal`
/// has the commands that came after it. A base that is still being written has parts already, but no row in `base`.
enum Schema {
  /// The bytes "frmt", which mark a database as one of fermata's.
  static let application: Int64 = 0x6672_6d74

  /// SQLite's number for a vacuum in steps (`INCREMENTAL`).
  private static let incremental: Int64 = 2

  /// The statements at index n turn a file of version n into version n+1. Never change old ones; only add new ones at the end.
  private static let migrations = [
    """
    CREATE TABLE base (
      id INTEGER PRIMARY KEY CHECK (id = 1), first INTEGER NOT NULL, parts INTEGER NOT NULL,
      sequence INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE part (key INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    CREATE TABLE journal (sequence INTEGER PRIMARY KEY, command BLOB NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE note (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    """
  ]

  /// Prepares a connection: which locks it takes, when it syncs, how much memory it uses.
  static func configure(_ database: Database) throws(StoreError) {
    // Another program may lock the file for a moment to copy it.
    try database.run("PRAGMA busy_timeout = 3000")
    // Taken before anything is read, an exclusive lock makes SQLite's shared memory file unnecessary. It also keeps other programs from writing
    // between our transactions.
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    // The vacuum mode can only be set while the file is empty. Setting it again would write it again, with three syncs that the agent's start would
    // wait for.
    if try database.number("PRAGMA auto_vacuum") != incremental {
      try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    }
    // FULL syncs each commit, so that a change that was acknowledged also survives a power cut.
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;
      PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      """)
    // The user should learn at the start that nothing can be written, and not only when the first change cannot be stored.
    if database.isReadOnly {
      throw .readOnly(database.path)
    }
  }

  /// Brings the database to the current version; an empty one gets its tables. Throws an error of damage if the file is not one
  /// of ours, or was made by a newer version of this program.
  static func migrate(_ database: Database) throws(StoreError) {
    try DatabaseVersion(application: application, migrations).bring(database)
  }
}
