// SPDX-License-Identifier: MIT
import LibraryQuery
import MediaModel
import SQLiteIO

/// The listener's data about items: ratings, counts, notes and resume places. It is in a database of its own, so that no scan and no damage of the
/// library can destroy it.
///
/// A record belongs to a sound, which is recognized by its fingerprint, or else by its path. The library's rows have copies of the values that
/// queries need. Both databases have a number that grows with each change; if the two differ after a crash, `synchronize` copies everything again.
/// Belongs to the store's thread; calls that change something belong into a transaction.
final class ListeningTable {
  let database: Database
  private let recordOf: Statement
  private let insert: Statement
  private let findByFingerprint: Statement
  private let findByPath: Statement
  private let bearer: Statement
  private let link: Statement
  private let unlink: Statement
  private let copy: Statement
  private let move: Statement
  private let movePath: Statement
  /// Whether there is any listening record; if not, a first scan need not look for one for each file.
  var hasRecords: Bool
  /// Whether `handOver` has something to decide. That is so if an item has gone since it was last called, so that its play counts may belong to another
  /// item now, or if one has come of which it is not certain yet which counts are its own.
  private(set) var mayBeFree = false
  /// The items that have come, or have got another sound, since `handOver` decided about their folders, and that may want a record: there is one of their
  /// sound, or of their path. They are on disk too, as the agent may end before the scan does.
  private var comers: Set<Int64> = []
  private let noteComer: Statement

  /// The SQL that copies an item's listening record into its row of the library.
  static let copies = """
    (rating, play_count, skip_count, last_played) =
    (SELECT rating, play_count, skip_count, last_played FROM listening.record AS r WHERE r.id = item.record)
    """

  init(_ database: Database) throws(StoreError) {
    self.database = database
    recordOf = try database.prepare("SELECT record FROM item WHERE id = ?1")
    insert = try database.prepare(
      """
      INSERT INTO listening.record (fingerprint, path, part, rating, play_count, skip_count)
      SELECT fingerprint, path, part_start, 0, 0, 0 FROM item WHERE id = ?1
      """)
    findByFingerprint = try database.prepare(
      "SELECT id FROM listening.record WHERE fingerprint = ?1 AND part = ?3 ORDER BY path = ?2 DESC, id LIMIT 8"
    )
    findByPath = try database.prepare(
      "SELECT id, fingerprint FROM listening.record WHERE path = ?1 AND part = ?2 ORDER BY id")
    bearer = try database.prepare("SELECT id, state FROM item WHERE record = ?1")
    link = try database.prepare("UPDATE item SET record = ?2 WHERE id = ?1")
    unlink = try database.prepare(
      "UPDATE item SET record = NULL, rating = 0, play_count = 0, skip_count = 0, last_played = NULL WHERE id = ?1"
    )
    copy = try database.prepare("UPDATE item SET \(Self.copies) WHERE id = ?1 AND record IS NOT NULL")
    move = try database.prepare(
      """
      UPDATE listening.record SET (fingerprint, path, part) =
        (SELECT fingerprint, path, part_start FROM main.item WHERE item.id = ?1)
      WHERE id = (SELECT record FROM main.item WHERE item.id = ?1)
      """)
    movePath = try database.prepare(
      """
      UPDATE listening.record SET (path, part) = (SELECT path, part_start FROM main.item WHERE item.id = ?1)
      WHERE id = (SELECT record FROM main.item WHERE item.id = ?1)
      """)
    hasRecords = try database.number("SELECT EXISTS (SELECT 1 FROM listening.record)") != 0
    noteComer = try database.prepare("REPLACE INTO counter VALUES ('\(Self.comerName)' || ?1, ?1)")
    let before = try database.prepare("SELECT value FROM counter WHERE name LIKE '\(Self.comerName)%'")
    while try before.step() { comers.insert(before.number(0)) }
    // The agent may have ended between the moment when an item went and the end of that scan.
    mayBeFree = hasRecords
  }

  // MARK: Recognizing

  /// Gives a new item its listening record: the one of its sound at its path. What else may be its record, by the sound or by the path alone, may be
  /// that of a file that is not read yet, so that is decided at the end of the scan, in `handOver`. A record that another item has stays with it, unless
  /// that item's file is missing: then this is the same file, elsewhere.
  func recognize(
    _ id: Int64, _ fingerprint: [UInt8]?, _ path: FilePath, part start: DiscTime? = nil
  ) throws(StoreError) {
    guard hasRecords else { return }
    let part = LibraryTables.part(start)
    let records = try records(at: path, part)
    for record in records
    where fingerprint == nil || record.fingerprint == nil || record.fingerprint == fingerprint {
      if try give(record.id, to: id) { return }
    }
    if !records.isEmpty { try note(id) }
    if let fingerprint { try note(id, Sound(fingerprint: fingerprint, part: part), path) }
  }

  /// The records of a path, and the sounds that they are of.
  private func records(
    at path: FilePath, _ part: Int64
  ) throws(StoreError) -> [(id: Int64, fingerprint: [UInt8]?)] {
    try findByPath.bind(path.bytes, part)
    var records: [(Int64, [UInt8]?)] = []
    while try findByPath.step() {
      records.append((findByPath.number(0), findByPath.isNull(1) ? nil : findByPath.bytes(1)))
    }
    return records
  }

  /// The first records of a sound, that of this path before all others.
  private func records(of sound: Sound, _ path: FilePath) throws(StoreError) -> [Int64] {
    try findByFingerprint.bind(sound.fingerprint, path.bytes, sound.part)
    var records: [Int64] = []
    while try findByFingerprint.step() { records.append(findByFingerprint.number(0)) }
    return records
  }

  /// Gives a record to an item, unless a present item has it. Returns whether it did.
  private func give(_ record: Int64, to id: Int64) throws(StoreError) -> Bool {
    guard try isFree(record, for: id) else { return false }
    try link.run(id, record)
    try refresh(id)
    try follow(id)
    return true
  }

  /// As `recognize`, if the item has no record: it may have lost its own while its file was missing.
  func recognizeAgain(
    _ id: Int64, _ fingerprint: [UInt8], _ path: FilePath?, part start: DiscTime? = nil
  ) throws(StoreError) {
    guard hasRecords, let path, try record(of: id, isMade: false) == nil else { return }
    try recognize(id, fingerprint.isEmpty ? nil : fingerprint, path, part: start)
  }

  /// Call when an item is gone: its file is missing, or its folder was taken out of the library. Its record may then be that of another item.
  func noteGone() { mayBeFree = hasRecords }

  /// Call when an item's file has another sound than before. Its record keeps the old sound, by which it is known as undecided: `handOver` gives it to
  /// a file that has come with that sound, or else it follows this item. Until then it stays with this item, so that nothing seems lost.
  func release(
    _ id: Int64, _ fingerprint: [UInt8], _ path: FilePath, part start: DiscTime? = nil
  ) throws(StoreError) {
    guard hasRecords else { return }
    mayBeFree = true
    try note(id, Sound(fingerprint: fingerprint, part: LibraryTables.part(start)), path)
  }

  /// Notes an item that has come with this sound, if there is a record of it.
  private func note(_ id: Int64, _ sound: Sound, _ path: FilePath) throws(StoreError) {
    if try !records(of: sound, path).isEmpty { try note(id) }
  }

  private func note(_ id: Int64) throws(StoreError) {
    mayBeFree = true
    guard comers.insert(id).inserted else { return }
    try noteComer.run(id)
  }

  /// Gives the records that no present item has to items that have none: first to those of the same sound, such as a moved file, or a copy that was in
  /// the library before the original went. What is left over goes to those with the same path, such as a better encoding under the same name. Looks
  /// only if an item has come or gone since the last call that may want it. Returns the items that were given a record.
  ///
  /// `folders` are those that the scan has read to the end, nil for all. Elsewhere a file with the sound of a record may still be read. So what is found
  /// by sound is given to files everywhere, and what is left over is decided only for files in these folders. Call `settle` with `open` once this is stored.
  func handOver(in folders: [FilePath]?) throws(StoreError) -> (changed: Set<Int64>, open: OpenQuestions) {
    let isRead = { (path: FilePath?) in
      path.map { path in folders?.contains(where: path.isBelow) ?? true } ?? true
    }
    let undecided = try undecided()
    var changed = Set(try handOverBySound(undecided))
    var open = OpenQuestions(comers: [], isAny: false)
    for (item, record, path) in undecided {
      guard try self.record(of: item, isMade: false) == record else {
        changed.insert(item)
        continue
      }
      if isRead(path) { try follow(item) } else { open.isAny = true }
    }
    changed.formUnion(try handOverByPath(isRead))
    for comer in comers {
      if try isRead(path(of: comer)) {
        try database.run("DELETE FROM counter WHERE name = '\(Self.comerName)\(comer)'")
      } else {
        open.comers.insert(comer)
      }
    }
    return (changed, open)
  }

  /// Like `handOver`, after a scan of some folders only: the files of the others may have moved here, or these there, and nobody has looked. So only
  /// the records of items that the library does not have any more are given, by their sounds; everything else stays open for a scan of all folders.
  func handOverWhatIsNobodys() throws(StoreError) -> (changed: Set<Int64>, open: OpenQuestions) {
    let given = try handOverBySound([], onlyNobodys: true)
    return (Set(given), OpenQuestions(comers: comers, isAny: true))
  }

  /// What `handOver` could not decide yet.
  struct OpenQuestions {
    fileprivate var comers: Set<Int64>
    /// Whether an item has a record of another sound.
    fileprivate var isAny: Bool
  }

  /// Takes over what `handOver` has left open, once its decisions are stored.
  func settle(_ open: OpenQuestions) {
    comers = open.comers
    mayBeFree = open.isAny || !comers.isEmpty
  }

  private static let comerName = "came "

  private func path(of id: Int64) throws(StoreError) -> FilePath? {
    let row = try database.prepare("SELECT path FROM item WHERE id = ?1")
    try row.bind(id)
    return try row.step() ? FilePath(row.bytes(0)) : nil
  }

  /// The present items whose records are of another sound than their files now, with these records and the files' paths.
  private func undecided() throws(StoreError) -> [(item: Int64, record: Int64, path: FilePath?)] {
    let rows = try database.prepare(
      "SELECT id, record, path FROM item NOT INDEXED WHERE state IN (\(Self.present)) AND \(Self.isUndecided)"
    )
    var undecided: [(Int64, Int64, FilePath?)] = []
    while try rows.step() { undecided.append((rows.number(0), rows.number(1), FilePath(rows.bytes(2)))) }
    return undecided
  }

  private static let isUndecided =
    "EXISTS (SELECT 1 FROM listening.record AS r WHERE r.id = item.record AND r.fingerprint <> item.fingerprint)"

  private func handOverBySound(
    _ undecided: [(item: Int64, record: Int64, path: FilePath?)], onlyNobodys: Bool = false
  ) throws(StoreError) -> [Int64] {
    var free = try freeSounds(onlyNobodys: onlyNobodys)
    for (_, record, _) in undecided { if let sound = try sound(of: record) { free.insert(sound) } }
    guard !free.isEmpty else { return [] }
    let rows = try database.prepare(
      """
      SELECT id, path, fingerprint, part_start FROM item NOT INDEXED
      WHERE (record IS NULL OR \(Self.isUndecided)) AND state IN (\(Self.present)) AND fingerprint IS NOT NULL
      ORDER BY record IS NULL
      """)
    var copies: [(id: Int64, path: FilePath?, sound: Sound)] = []
    while try rows.step() {
      let sound = Sound(fingerprint: rows.bytes(2), part: rows.number(3))
      if free.contains(sound) { copies.append((rows.number(0), FilePath(rows.bytes(1)), sound)) }
    }
    var given: [Int64] = []
    var rest: [Sound: ArraySlice<Int64>] = [:]
    for copy in copies {
      guard let path = copy.path else { continue }
      var isGiven = false
      for record in try records(of: copy.sound, path) where !isGiven {
        if onlyNobodys, try isBorne(record) { continue }
        isGiven = try give(record, to: copy.id)
      }
      if !isGiven, !onlyNobodys {
        // Only the first records of the sound were tried. Many files may have the same one, such as silence.
        if rest[copy.sound] == nil { rest[copy.sound] = try freeRecords(of: copy.sound)[...] }
        while !isGiven, let record = rest[copy.sound]?.popFirst() { isGiven = try give(record, to: copy.id) }
      }
      if isGiven { given.append(copy.id) }
    }
    return given
  }

  private func freeRecords(of sound: Sound) throws(StoreError) -> [Int64] {
    let rows = try database.prepare(
      """
      SELECT id FROM listening.record WHERE fingerprint = ?1 AND part = ?2 AND NOT EXISTS
        (SELECT 1 FROM main.item WHERE item.record = record.id AND item.state IN (\(Self.present)))
      ORDER BY id
      """)
    try rows.bind(sound.fingerprint, sound.part)
    var records: [Int64] = []
    while try rows.step() { records.append(rows.number(0)) }
    return records
  }

  private func handOverByPath(_ isRead: (FilePath?) -> Bool) throws(StoreError) -> [Int64] {
    let rows = try database.prepare(
      """
      SELECT item.id, record.id, item.path FROM listening.record JOIN main.item
      ON item.path = record.path AND item.part_start = record.part
      WHERE item.record IS NULL AND item.state IN (\(Self.present)) AND NOT EXISTS
        (SELECT 1 FROM main.item AS other WHERE other.record = record.id AND other.state IN (\(Self.present)))
      ORDER BY record.id
      """)
    var pairs: [(item: Int64, record: Int64)] = []
    while try rows.step() {
      if isRead(FilePath(rows.bytes(2))) { pairs.append((rows.number(0), rows.number(1))) }
    }
    var given: [Int64] = []
    for pair in pairs {
      guard try record(of: pair.item, isMade: false) == nil, try give(pair.record, to: pair.item) else {
        continue
      }
      given.append(pair.item)
    }
    return given
  }

  private struct Sound: Hashable {
    let fingerprint: [UInt8]
    let part: Int64
  }

  /// The states of items whose files are there.
  private static let present = [LibraryTables.State.shown, .cut].map { "\($0.rawValue)" }.joined(
    separator: ", ")

  /// The sounds of the records that no present item has, or that no item has at all.
  private func freeSounds(onlyNobodys: Bool) throws(StoreError) -> Set<Sound> {
    let isPresent = onlyNobodys ? "" : "AND item.state IN (\(Self.present))"
    let rows = try database.prepare(
      """
      SELECT fingerprint, part FROM listening.record WHERE fingerprint IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM main.item WHERE item.record = record.id \(isPresent))
      """)
    var sounds: Set<Sound> = []
    while try rows.step() { sounds.insert(Sound(fingerprint: rows.bytes(0), part: rows.number(1))) }
    return sounds
  }

  /// Whether an item has this record, present or not.
  private func isBorne(_ record: Int64) throws(StoreError) -> Bool {
    try bearer.bind(record)
    defer { bearer.reset() }
    return try bearer.step()
  }

  /// Whether a record can be this item's. If another item has it whose file is missing, or has another sound while this one has come with that of the
  /// record, it is taken from that item.
  private func isFree(_ record: Int64, for id: Int64) throws(StoreError) -> Bool {
    try bearer.bind(record)
    guard try bearer.step() else { return true }
    let (other, state) = (bearer.number(0), LibraryTables.State(rawValue: bearer.number(1)))
    bearer.reset()
    if state == .shown || state == .cut {
      guard comers.contains(id), try isUndecided(other) else { return false }
    }
    try unlink.run(other)
    return true
  }

  /// Whether an item's record is of another sound than its file now.
  private func isUndecided(_ id: Int64) throws(StoreError) -> Bool {
    let row = try database.prepare("SELECT \(Self.isUndecided) FROM item WHERE id = ?1")
    try row.bind(id)
    return try row.step() && row.number(0) != 0
  }

  private func sound(of record: Int64) throws(StoreError) -> Sound? {
    let row = try database.prepare("SELECT fingerprint, part FROM listening.record WHERE id = ?1")
    try row.bind(record)
    guard try row.step(), !row.isNull(0) else { return nil }
    return Sound(fingerprint: row.bytes(0), part: row.number(1))
  }

  /// Stores an item's present path and fingerprint in its record, so that the item is recognized when the library is made again.
  func follow(_ id: Int64) throws(StoreError) {
    guard hasRecords else { return }
    try move.run(id)
    if move.changes > 0 { try count() }
  }

  /// Stores an item's present path in its record, as its file was moved. Which sound the record is of stays as it is, also if that is undecided.
  func followPath(_ id: Int64) throws(StoreError) {
    guard hasRecords else { return }
    try movePath.run(id)
    if movePath.changes > 0 { try count() }
  }

  /// Copies an item's listening record into the item's row of the library, for queries.
  func refresh(_ id: Int64) throws(StoreError) {
    try copy.run(id)
  }

  // MARK: What the listener says

  /// Changes an item's record by an assignment such as `rating = ?2`. Returns false if there is no such item.
  func change(_ id: Int64, _ assignment: String, _ value: SQLValue = .null) throws(StoreError) -> Bool {
    guard let record = try record(of: id, isMade: true) else { return false }
    let statement = try database.prepare("UPDATE listening.record SET \(assignment) WHERE id = ?1")
    try statement.bind(record)
    if value != .null { try statement.bind(at: 2, value) }
    try statement.run()
    try refresh(id)
    try count()
    return true
  }

  /// Changes where a file that is no item resumes; nil for its beginning. Most such files have no record, and nothing is written for them.
  func keepPlace(_ microseconds: Int64?, ofNoItem path: FilePath) throws(StoreError) {
    let records = """
      path = ?2 AND part = ?3 AND resume IS NOT ?1
      AND NOT EXISTS (SELECT 1 FROM main.item WHERE item.record = record.id)
      """
    func bound(_ sql: String) throws(StoreError) -> Statement {
      let statement = try database.prepare(sql)
      if let microseconds { try statement.bind(at: 1, microseconds) }
      try statement.bind(at: 2, path.bytes)
      try statement.bind(at: 3, LibraryTables.part(nil))
      return statement
    }
    guard try bound("SELECT 1 FROM listening.record WHERE \(records)").step() else { return }
    try bound("UPDATE listening.record SET resume = ?1 WHERE \(records)").run()
    try count()
  }

  /// The ID of an item's record. If it has none and `isMade` is true, one is created. Nil if there is no such item.
  func record(of id: Int64, isMade: Bool) throws(StoreError) -> Int64? {
    try recordOf.bind(id)
    guard try recordOf.step() else { return nil }
    let record = recordOf.isNull(0) ? nil : recordOf.number(0)
    recordOf.reset()
    guard isMade else { return record }
    if let record {
      guard mayBeFree, try isUndecided(id) else { return record }
      if let decided = try decide(id, record) { return decided }
    } else if let known = try recordOfSound(of: id) {
      return known
    }
    try insert.run(id)
    let made = try database.number("SELECT last_insert_rowid()")
    try link.run(id, made)
    hasRecords = true
    return made
  }

  /// Gives an item the record of its sound, if there is one that no present item has, and returns it. While a scan goes on, `handOver` has not done so
  /// yet, and with a new record the item would never get the old one. Of two equal copies, one that is not read yet may lose its record by that.
  private func recordOfSound(of id: Int64) throws(StoreError) -> Int64? {
    guard mayBeFree else { return nil }
    let row = try database.prepare("SELECT fingerprint, path, part_start FROM item WHERE id = ?1")
    try row.bind(id)
    guard try row.step(), !row.isNull(0), let path = FilePath(row.bytes(1)) else { return nil }
    let sound = Sound(fingerprint: row.bytes(0), part: row.number(2))
    row.reset()
    for record in try records(of: sound, path) where try give(record, to: id) { return record }
    return nil
  }

  /// Decides before the end of the scan whether an item whose file has another sound now keeps its record, because somebody plays or rates the item.
  /// If another record belongs to the new sound, the item gets that one. If a new file has the old sound, the record belongs to that file; then the
  /// item loses it, and nil is returned. Otherwise the item keeps it. Returns the item's record.
  private func decide(_ id: Int64, _ record: Int64) throws(StoreError) -> Int64? {
    if let known = try recordOfSound(of: id) { return known }
    let rows = try database.prepare(
      """
      SELECT item.id FROM item JOIN listening.record AS r
      ON r.fingerprint = item.fingerprint AND r.part = item.part_start
      WHERE r.id = ?1 AND item.id <> ?2 AND item.state IN (\(Self.present))
      """)
    try rows.bind(record, id)
    var isClaimed = false
    while try rows.step() { isClaimed = isClaimed || comers.contains(rows.number(0)) }
    guard isClaimed else {
      try follow(id)
      return record
    }
    try unlink.run(id)
    return nil
  }

  // MARK: Entries from elsewhere

  /// The record of exactly this sound and path, if it is no item's; nil if there is none.
  func waiting(_ fingerprint: [UInt8], _ path: FilePath, part start: DiscTime?) throws(StoreError) -> Int64? {
    let rows = try database.prepare(
      """
      SELECT id FROM listening.record AS r WHERE fingerprint = ?1 AND path = ?2 AND part = ?3
      AND NOT EXISTS (SELECT 1 FROM main.item WHERE item.record = r.id) ORDER BY id
      """)
    try rows.bind(fingerprint, path.bytes, LibraryTables.part(start))
    return try rows.step() ? rows.number(0) : nil
  }

  /// The record of a sound whose file is not in the library, if `isFree` agrees; else it is made, and waits for the file.
  func waitingRecord(
    _ fingerprint: [UInt8]?, _ path: FilePath, part start: DiscTime?, isFree: (Int64) -> Bool
  ) throws(StoreError) -> Int64 {
    let part = LibraryTables.part(start)
    var known: [Int64] = []
    if let fingerprint { known = try records(of: Sound(fingerprint: fingerprint, part: part), path) }
    // A record with this path may be that of another sound.
    for record in try records(at: path, part) where fingerprint == nil || record.fingerprint == nil {
      known.append(record.id)
    }
    if let record = known.first(where: isFree) { return record }
    let add = try database.prepare(
      """
      INSERT INTO listening.record (fingerprint, path, part, rating, play_count, skip_count)
      VALUES (?1, ?2, ?3, 0, 0, 0)
      """)
    try add.run(fingerprint, path.bytes, part)
    hasRecords = true
    return try database.number("SELECT last_insert_rowid()")
  }

  func setNote(_ record: Int64, _ key: String, _ value: String) throws(StoreError) {
    let statement = try database.prepare("REPLACE INTO listening.note VALUES (?1, ?2, ?3)")
    try statement.run(record, key, value)
  }

  /// Writes a note on an item, or removes it. Returns false if there is no such item.
  func note(_ id: Int64, _ key: String, _ value: String?) throws(StoreError) -> Bool {
    guard let record = try record(of: id, isMade: value != nil) else {
      // Where there is no record, there is no note to be removed.
      return try database.number("SELECT EXISTS (SELECT 1 FROM item WHERE id = \(id))") != 0
    }
    let statement = try database.prepare(
      value == nil
        ? "DELETE FROM listening.note WHERE record = ?1 AND key = ?2"
        : "REPLACE INTO listening.note VALUES (?1, ?2, ?3)")
    try statement.bind(record, storedForm(of: key, in: record))
    if let value { try statement.bind(at: 3, value) }
    try statement.run()
    try count()
    return true
  }

  /// The key as it is stored, if the record has a note under it.
  private func storedForm(of key: String, in record: Int64) throws(StoreError) -> String {
    let statement = try database.prepare("SELECT key FROM listening.note WHERE record = ?1")
    try statement.bind(record)
    return try statement.storedForm(of: key)
  }

  func notes(_ id: Int64) throws(StoreError) -> [String: String] {
    guard let record = try record(of: id, isMade: false) else { return [:] }
    let statement = try database.prepare("SELECT key, value FROM listening.note WHERE record = ?1")
    try statement.bind(record)
    var notes: [String: String] = [:]
    while try statement.step() { notes[statement.text(0)] = statement.text(1) }
    return notes
  }
}

extension Statement {
  /// The text among the rows that is the same as this one, or this one itself. Unicode has several forms for some letters, such as "é", and the database
  /// compares bytes.
  func storedForm(of text: String) throws(StoreError) -> String {
    while try step() {
      let stored = self.text(0)
      if stored == text { return stored }
    }
    return text
  }
}
