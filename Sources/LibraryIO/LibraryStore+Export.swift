// SPDX-License-Identifier: MIT
import LibraryQuery
package import MediaModel
package import SQLiteIO

/// Everything the listener said about one sound, whether its file is in the library at the moment or not.
package struct ListeningEntry: Sendable, Hashable {
  package var path: FilePath
  package var fingerprint: AudioFingerprint?
  package var listening: ListeningRecord
  /// Where it is resumed; nil for its beginning.
  package var place: Duration?
  package var notes: [String: String]

  package init(
    _ path: FilePath, fingerprint: AudioFingerprint? = nil, listening: ListeningRecord = ListeningRecord(),
    place: Duration? = nil, notes: [String: String] = [:]
  ) {
    (self.path, self.fingerprint, self.listening) = (path, fingerprint, listening)
    (self.place, self.notes) = (place, notes)
  }
}

extension LibraryStore {
  /// Gives each entry to `body`, in the order in which the listener made them. Blocks.
  package func exportListening(_ body: (ListeningEntry) -> Void) throws(StoreError) {
    let rows = try database.prepare(
      """
      SELECT id, path, fingerprint, rating, play_count, skip_count, last_played, resume FROM listening.record
      ORDER BY id
      """)
    let notes = try database.prepare("SELECT key, value FROM listening.note WHERE record = ?1 ORDER BY key")
    while try rows.step() {
      guard let path = FilePath(rows.bytes(1)) else { continue }
      var entry = ListeningEntry(path, fingerprint: AudioFingerprint(rawValue: rows.bytes(2)))
      entry.listening.rating = Int(truncatingIfNeeded: rows.number(3))
      entry.listening.playCount = Int(truncatingIfNeeded: rows.number(4))
      entry.listening.skipCount = Int(truncatingIfNeeded: rows.number(5))
      entry.listening.lastPlayed = rows.isNull(6) ? nil : rows.number(6)
      entry.place = rows.isNull(7) ? nil : .microseconds(rows.number(7))
      try notes.bind(1, rows.number(0))
      while try notes.step() { entry.notes[notes.text(0)] = notes.text(1) }
      body(entry)
    }
  }

  /// Takes over what was exported, here or on another machine: all of it, or nothing if this throws. An entry replaces what is
  /// known of its sound. One whose file is not in the library waits until it is.
  package func importListening(_ entries: [ListeningEntry]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for entry in entries { try listening.take(entry) }
    }
  }
}

extension ListeningTable {
  /// Writes an entry over the record of its sound, or as a new one.
  fileprivate func take(_ entry: ListeningEntry) throws(StoreError) {
    let values = entry.listening
    let ratings = ListeningRecord.ratings
    let place = entry.place.map { Int64(min(max(.zero, $0), .seconds(365 * 86_400)) / .microseconds(1)) }
    let record = try overwrite(
      entry.path, entry.fingerprint?.rawValue,
      [
        .integer(Int64(min(max(values.rating, ratings.lowerBound), ratings.upperBound))),
        .integer(Int64(max(0, values.playCount))), .integer(Int64(max(0, values.skipCount))),
        values.lastPlayed.map { .integer($0) } ?? .null, place.map { .integer($0) } ?? .null,
      ])
    for (key, value) in entry.notes { try setNote(record, key, value) }
  }
}
