// SPDX-License-Identifier: MIT
import SQLiteIO

// Two databases that have to agree.
extension ListeningTable {
  private static let counts = ["main", "listening"]

  /// Increases the number of changes in both databases, once in each transaction. The numbers differ only after a crash between the two commits.
  func count() throws(StoreError) {
    for schema in Self.counts {
      try database.run(
        """
        INSERT INTO \(schema).counter VALUES ('listening', 1)
        ON CONFLICT (name) DO UPDATE SET value = value + 1
        """)
    }
  }

  private func number(_ schema: String) throws(StoreError) -> Int64 {
    try database.number("SELECT value FROM \(schema).counter WHERE name = 'listening'")
  }

  /// Makes the copies in the library's rows equal to the listening records. If the records were lost and the library was not, makes them again from
  /// the copies, except for the notes; records that come from an older copy of the database are brought up to date in the same way.
  ///
  /// A record belongs to a sound, so a file that was moved just before the crash finds its record by its sound; it finds one by its path only if one of
  /// the two sounds is unknown. Costs nothing if the last transaction reached both databases.
  func synchronize() throws(StoreError) {
    let (library, listening) = (try number("main"), try number("listening"))
    guard library != listening else { return }
    try database.transaction { () throws(StoreError) in
      if listening == 0 { try restoreRecords() }
      try database.run(
        """
        UPDATE item SET record = coalesce(
          (SELECT id FROM listening.record AS r
            WHERE r.path = item.path AND r.part = item.part_start AND r.fingerprint IS item.fingerprint LIMIT 1),
          (SELECT id FROM listening.record AS r
            WHERE r.fingerprint = item.fingerprint AND r.part = item.part_start AND NOT EXISTS (
            SELECT 1 FROM item AS o
            WHERE o.path = r.path AND o.part_start = r.part AND o.fingerprint IS r.fingerprint) LIMIT 1),
          (SELECT id FROM listening.record AS r
            WHERE r.path = item.path AND r.part = item.part_start
              AND (r.fingerprint IS NULL OR item.fingerprint IS NULL) LIMIT 1));
        UPDATE item SET record = NULL WHERE record IS NOT NULL AND id NOT IN (
          SELECT min(id) FROM item WHERE record IS NOT NULL GROUP BY record);
        UPDATE item SET rating = 0, play_count = 0, skip_count = 0, last_played = NULL WHERE record IS NULL;
        UPDATE item SET \(Self.copies) WHERE record IS NOT NULL;
        """)
      for schema in Self.counts {
        try database.run(
          "REPLACE INTO \(schema).counter VALUES ('listening', \(max(library, listening) + 1))")
      }
    }
    hasRecords = try database.number("SELECT EXISTS (SELECT 1 FROM listening.record)") != 0
  }

  private func restoreRecords() throws(StoreError) {
    try database.run(
      """
      UPDATE listening.record SET (fingerprint, path, part, rating, play_count, skip_count, last_played) =
        (SELECT fingerprint, path, part_start, rating, play_count, skip_count, last_played FROM main.item
          WHERE item.record = record.id)
      WHERE id IN (SELECT record FROM main.item WHERE record IS NOT NULL);
      INSERT INTO listening.record (id, fingerprint, path, part, rating, play_count, skip_count, last_played)
      SELECT record, fingerprint, path, part_start, rating, play_count, skip_count, last_played FROM main.item
      WHERE record IS NOT NULL AND record NOT IN (SELECT id FROM listening.record);
      """)
  }
}
