// SPDX-License-Identifier: MIT
package import LibraryQuery
package import ListeningModel
import MediaModel
package import SQLiteIO

// Exports and imports the listener's ratings, counts and notes.

extension LibraryStore {
  /// Calls `body` with the listener's ratings, counts, notes and place for one sound after another, the oldest record first. Blocks. `isInterrupted`
  /// is called now and then; if it returns true, this throws an error whose `isInterruption` is true.
  package func exportListening(
    isInterrupted: (() -> Bool)? = nil, _ body: (ListeningEntry) -> Void
  ) throws(StoreError) {
    let rows = try database.prepare(
      """
      SELECT id, path, fingerprint, rating, play_count, skip_count, last_played, resume, part FROM listening.record
      ORDER BY id
      """)
    let notes = try ListeningNotes(database)
    while try rows.step() {
      if isInterrupted?() == true {
        rows.reset()
        throw .interrupted(database.path)
      }
      if let entry = try ListeningEntry(rows, notes) { body(entry) }
    }
  }

  /// Imports entries that were exported here or on another machine: all of them, or none if this throws. Records that exist here are kept; where both
  /// have a value, `preference` says which one is used. An entry whose file is not in the library waits until it is. Nothing is imported if
  /// `isInterrupted` returns true before the end.
  package func importListening(
    _ entries: [ListeningEntry], _ playlists: [SmartPlaylist] = [],
    preferring preference: ListeningEntry.Preference = .ours, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> ImportReport {
    try transaction(isInterrupted: isInterrupted) { () throws(StoreError) in
      var report = ImportReport()
      let taker = try ListeningTaker(self, preference)
      // Items that are where they were get their entries first. Other entries belong to files that were moved, and only what no sound is known of is for
      // the file that has its path now: where files were renumbered, that is another song's.
      var others: [ListeningEntry] = []
      var unknown: [ListeningEntry] = []
      for entry in entries where try !taker.takeInPlace(entry, &report) { others.append(entry) }
      for entry in others where try !taker.takeBySound(entry, &report) { unknown.append(entry) }
      for entry in unknown { try taker.takeByPath(entry, &report) }
      try taker.finish()
      for playlist in playlists { try take(playlist, preference, &report) }
      return report
    }
  }

  private func take(
    _ playlist: SmartPlaylist, _ preference: ListeningEntry.Preference, _ report: inout ImportReport
  ) throws(StoreError) {
    if let own = try smartPlaylist(playlist.name) {
      guard own != playlist else { return report.playlists += 1 }
      report.different += 1
      if preference == .ours { return }
    }
    // One that a newer program saved is not in `own`, since this one can't read it.
    guard try save(playlist, replacing: preference == .theirs) else { return report.different += 1 }
    report.playlists += 1
  }
}

/// Reads the notes of listening records. Belongs to the store's thread.
private final class ListeningNotes {
  private let read: Statement

  init(_ database: Database) throws(StoreError) {
    read = try database.prepare("SELECT key, value FROM listening.note WHERE record = ?1 ORDER BY key")
  }

  func callAsFunction(_ record: Int64) throws(StoreError) -> [String: String] {
    try read.bind(record)
    var notes: [String: String] = [:]
    while try read.step() { notes[read.text(0)] = read.text(1) }
    return notes
  }
}

extension ListeningEntry {
  /// The entry in a row of `listening.record`: id, path, fingerprint, rating, counts, the last time, the resume place. Nil if its path is invalid.
  fileprivate init?(_ row: borrowing Statement, _ notes: ListeningNotes) throws(StoreError) {
    guard let path = FilePath(row.bytes(1)) else { return nil }
    self.init(path, fingerprint: AudioFingerprint(rawValue: row.bytes(2)))
    start = LibraryTables.part(row.number(8), end: nil)?.start
    listening.rating = Int(truncatingIfNeeded: row.number(3))
    listening.playCount = Int(truncatingIfNeeded: row.number(4))
    listening.skipCount = Int(truncatingIfNeeded: row.number(5))
    listening.lastPlayed = row.isNull(6) ? nil : row.number(6)
    place = row.isNull(7) ? nil : .microseconds(row.number(7))
    self.notes = try notes(row.number(0))
  }
}

/// Merges imported entries into the listener's own records, inside one transaction. Belongs to the store's thread.
private final class ListeningTaker {
  private let table: ListeningTable
  private let preference: ListeningEntry.Preference
  private let notes: ListeningNotes
  private let itemAt: Statement
  private let read: Statement
  private let write: Statement
  /// What an imported entry is matched by: a sound, or a part of one.
  private struct Sound: Hashable {
    let fingerprint: AudioFingerprint
    let part: Int64
  }

  /// The IDs of the items by their sounds. The library's table has no index for this, as nothing else asks for it.
  private var sounds: [Sound: [Int64]] = [:]
  /// The records that have taken an entry, with its path. Entries of the same sound with other paths are those of copies, and belong to other records.
  private var taken: [Int64: FilePath] = [:]

  init(_ store: LibraryStore, _ preference: ListeningEntry.Preference) throws(StoreError) {
    let database = store.database
    (table, self.preference) = (store.listening, preference)
    notes = try ListeningNotes(database)
    itemAt = try database.prepare("SELECT id, fingerprint FROM item WHERE path = ?1 AND part_start = ?2")
    read = try database.prepare(
      """
      SELECT id, path, fingerprint, rating, play_count, skip_count, last_played, resume, part FROM listening.record
      WHERE id = ?1
      """)
    write = try database.prepare(
      """
      UPDATE listening.record SET rating = ?2, play_count = ?3, skip_count = ?4, last_played = ?5, resume = ?6
      WHERE id = ?1
      """)
    let items = try database.prepare(
      "SELECT id, fingerprint, part_start FROM item WHERE fingerprint IS NOT NULL ORDER BY state, id")
    while try items.step() {
      guard let fingerprint = AudioFingerprint(rawValue: items.bytes(1)) else { continue }
      let sound = Sound(fingerprint: fingerprint, part: items.number(2))
      sounds[sound, default: []].append(items.number(0))
    }
  }

  /// Takes an entry if there is an item with its path and sound, or a record of both that waits. Returns whether there is.
  func takeInPlace(_ entry: ListeningEntry, _ report: inout ImportReport) throws(StoreError) -> Bool {
    guard let fingerprint = entry.fingerprint else { return false }
    if let (item, sound) = try item(at: entry), sound == fingerprint {
      return try take(entry, for: item, bySound: true, &report)
    }
    guard let record = try table.waiting(fingerprint.rawValue, entry.path, part: entry.start) else {
      return false
    }
    try wait(entry, in: record, &report)
    return true
  }

  /// Takes an entry for an item of its sound that no other entry was taken for. Returns whether there is one.
  func takeBySound(_ entry: ListeningEntry, _ report: inout ImportReport) throws(StoreError) -> Bool {
    for item in items(ofSoundOf: entry) where try take(entry, for: item, bySound: true, &report) {
      return true
    }
    return false
  }

  /// Takes an entry for the item with its path. If there is no such item, or another entry was taken for it, this one waits.
  func takeByPath(_ entry: ListeningEntry, _ report: inout ImportReport) throws(StoreError) {
    if let (item, _) = try item(at: entry), try take(entry, for: item, bySound: false, &report) { return }
    let record = try table.waitingRecord(entry.fingerprint?.rawValue, entry.path, part: entry.start) {
      record in
      mayTake(entry, record)
    }
    try wait(entry, in: record, &report)
  }

  private func wait(
    _ entry: ListeningEntry, in record: Int64, _ report: inout ImportReport
  ) throws(StoreError) {
    taken[record] = entry.path
    report.waiting += 1
    try merge(entry, into: record, &report)
  }

  func finish() throws(StoreError) { try table.count() }

  /// Takes an entry for an item. Returns false if the item has the record of another entry.
  private func take(
    _ entry: ListeningEntry, for item: Int64, bySound isSound: Bool, _ report: inout ImportReport
  ) throws(StoreError) -> Bool {
    guard let record = try table.record(of: item, isMade: true), mayTake(entry, record) else { return false }
    taken[record] = entry.path
    if isSound { report.bySound += 1 } else { report.byPath += 1 }
    try merge(entry, into: record, &report)
    try table.refresh(item)
    return true
  }

  private func mayTake(_ entry: ListeningEntry, _ record: Int64) -> Bool {
    taken[record].map { $0 == entry.path } ?? true
  }

  /// The item with an entry's path, and its sound.
  private func item(at entry: ListeningEntry) throws(StoreError) -> (id: Int64, sound: AudioFingerprint?)? {
    try itemAt.bind(entry.path.bytes, LibraryTables.part(entry.start))
    defer { itemAt.reset() }
    return try itemAt.step() ? (itemAt.number(0), AudioFingerprint(rawValue: itemAt.bytes(1))) : nil
  }

  /// The items with an entry's sound.
  private func items(ofSoundOf entry: ListeningEntry) -> [Int64] {
    guard let fingerprint = entry.fingerprint else { return [] }
    return sounds[Sound(fingerprint: fingerprint, part: LibraryTables.part(entry.start))] ?? []
  }

  private func merge(
    _ entry: ListeningEntry, into record: Int64, _ report: inout ImportReport
  ) throws(StoreError) {
    try read.bind(record)
    var own = try read.step() ? try ListeningEntry(read, notes) : nil
    read.reset()
    let before = own
    report.different += own?.merge(entry, preferring: preference) ?? 0
    guard let own, own != before else { return }
    let place = own.place.map { Int64(min(max(.zero, $0), .seconds(365 * 86_400)) / .microseconds(1)) }
    try write.run(
      record, Int64(own.listening.rating), Int64(own.listening.playCount), Int64(own.listening.skipCount),
      own.listening.lastPlayed, place)
    for (key, text) in own.notes where before?.notes[key] != text { try table.setNote(record, key, text) }
  }
}
