// SPDX-License-Identifier: MIT
package import LibraryQuery
package import MediaModel
package import SQLiteIO

// The loudness of items whose tags don't state it: the measured values, and the items that are still to be measured.

package struct FileToMeasure: Sendable, Hashable {
  package var id: MediaItem.ID
  package var path: FilePath

  package init(id: MediaItem.ID, path: FilePath) { (self.id, self.path) = (id, path) }
}

/// Of the items whose tags say no gain, the number of those that wait to be measured, and of those that can't be.
package struct LoudnessCounts: Sendable, Hashable {
  package var unmeasured = 0
  package var unfit = 0
  /// One of the items that can't be measured, with the reason, as a sentence; nil if there is none.
  package var example: String?
}

extension LibraryStore {
  /// The SQL condition for files that are shown, or whose parts are. A file is measured as a whole, and what is found counts for all its parts.
  private static let isWhole =
    "item.state IN (\(LibraryTables.State.shown.rawValue), \(LibraryTables.State.cut.rawValue)) AND item.part_start < 0"
  /// The SQL condition for those of these files whose tags say nothing of their loudness.
  private static let untold = "\(isWhole) AND item.track_gain IS NULL AND item.album_gain IS NULL"

  /// The items of a query that are to be measured, album by album. Items that were measured before are left out, unless `remeasure` was called for
  /// them.
  package func unmeasured(of query: ItemQuery, at time: QueryTime) throws(StoreError) -> [MediaItem.ID] {
    var wanted: Set<Int64> = []
    let rows = try database.prepare(
      """
      SELECT item.id FROM item LEFT JOIN loudness ON loudness.item = item.id
      WHERE \(Self.untold) AND ifnull(is_stale, 1)
      """)
    while try rows.step() { wanted.insert(rows.number(0)) }
    guard !wanted.isEmpty else { return [] }
    return try files(of: ids(of: query, at: time)).filter { wanted.contains($0.rawValue) }
  }

  /// These items, but instead of the parts of a file the whole file, once.
  private func files(of items: [MediaItem.ID]) throws(StoreError) -> [MediaItem.ID] {
    let rows = try database.prepare(
      """
      SELECT part.id, file.id FROM item AS part JOIN item AS file ON file.path = part.path AND file.part_start < 0
      WHERE part.part_start >= 0 AND part.state = \(LibraryTables.State.shown.rawValue)
      """)
    var wholes: [Int64: Int64] = [:]
    while try rows.step() { wholes[rows.number(0)] = rows.number(1) }
    guard !wholes.isEmpty else { return items }
    var seen: Set<Int64> = []
    return items.compactMap { item in
      let file = wholes[item.rawValue] ?? item.rawValue
      return seen.insert(file).inserted ? MediaItem.ID(rawValue: file) : nil
    }
  }

  /// Marks all items of a query to be measured again. Their old values are used until then.
  package func remeasure(_ query: ItemQuery, at time: QueryTime) throws(StoreError) {
    let ids = try files(of: ids(of: query, at: time))
    try database.transaction { () throws(StoreError) in
      let mark = try database.prepare("UPDATE loudness SET is_stale = 1 WHERE item = ?1")
      for id in ids {
        try mark.run(id.rawValue)
      }
    }
  }

  /// The files of those of these items that exist and are still to be measured.
  package func toMeasure(_ ids: some Sequence<MediaItem.ID>) throws(StoreError) -> [FileToMeasure] {
    let rows = try database.prepare(
      """
      SELECT path FROM item LEFT JOIN loudness ON loudness.item = item.id
      WHERE item.id = ?1 AND \(Self.untold) AND ifnull(is_stale, 1)
      """)
    var files: [FileToMeasure] = []
    for id in ids {
      try rows.bind(id.rawValue)
      while try rows.step() {
        if let path = FilePath(rows.bytes(0)) { files.append(FileToMeasure(id: id, path: path)) }
      }
    }
    return files
  }

  /// Stores the measured loudness of an item, or why it can't be measured. `size` and `modified` are those of the file that was measured: if the
  /// library now knows other ones, nothing is stored. Returns whether it was stored.
  @discardableResult
  package func note(
    _ found: Result<MeasuredLoudness, UnfitSound>, of id: MediaItem.ID, size: Int64, modified: Int64
  ) throws(StoreError) -> Bool {
    let write = try database.prepare(
      """
      REPLACE INTO loudness (item, integrated, peak, blocks, unfit, is_stale)
      SELECT id, ?4, ?5, ?6, ?7, 0 FROM item WHERE id = ?1 AND size = ?2 AND modified = ?3
      """)
    try write.bind(id.rawValue, size, modified)
    switch found {
    case .success(let found):
      try write.bind(at: 4, found.integrated)
      try write.bind(at: 5, Double(found.peak))
      try write.bind(at: 6, found.blocks.bytes)
    case .failure(let unfit): try write.bind(at: 7, unfit.reason)
    }
    try write.run()
    return write.changes > 0
  }

  func forgetFailedLoudness(of id: MediaItem.ID) throws(StoreError) {
    let forget = try database.prepare("DELETE FROM loudness WHERE item = ?1 AND unfit IS NOT NULL")
    try forget.run(id.rawValue)
  }

  /// Of the items whose tags say no gain, the number of those that wait to be measured, and of those that can't be.
  package func loudnessCounts() throws(StoreError) -> LoudnessCounts {
    let rows = try database.prepare(
      """
      SELECT count(*), count(is_stale), count(unfit), total(is_stale)
      FROM item LEFT JOIN loudness ON loudness.item = item.id WHERE \(Self.untold)
      """)
    guard try rows.step() else { return LoudnessCounts() }
    let unfit = Int(rows.number(2))
    return LoudnessCounts(
      unmeasured: Int(rows.number(0) - rows.number(1) + rows.number(3)), unfit: unfit,
      example: unfit > 0 ? try unfitExample() : nil)
  }

  private func unfitExample() throws(StoreError) -> String? {
    let rows = try database.prepare(
      """
      SELECT path, unfit FROM loudness JOIN item ON item.id = loudness.item
      WHERE unfit IS NOT NULL AND \(Self.untold) ORDER BY item.id LIMIT 1
      """)
    guard try rows.step(), let path = FilePath(rows.bytes(0)) else { return nil }
    return "'\(path.text)' \(rows.text(1))"
  }

  // MARK: Gains

  /// The measured gains of the file at a path; nil if it was not measured, or if its tags have gains.
  package func measuredGains(at path: FilePath) throws(StoreError) -> Loudness? {
    let rows = try database.prepare(
      """
      SELECT integrated, peak, album.id FROM item JOIN loudness ON loudness.item = item.id
        LEFT JOIN album ON album.id = item.album AND is_named
      WHERE path = ?1 AND \(Self.untold) AND unfit IS NULL
      """)
    try rows.bind(path.bytes)
    guard try rows.step() else { return nil }
    var gains = Loudness()
    gains.trackGain = rows.isNull(0) ? nil : Loudness.gain(for: rows.real(0))
    gains.trackPeak = Float(rows.real(1))
    if !rows.isNull(2), let album = try measuredAlbum(rows.number(2)), let integrated = album.integrated {
      (gains.albumGain, gains.albumPeak) = (Loudness.gain(for: integrated), album.peak)
    }
    return gains
  }

  /// An album with more tracks than this is not a real one, but the songs of an artist gathered under one name.
  private static let mostTracks = 500

  /// The loudness of an album as a whole; nil if a track's tags state its own, or if one that can be measured was not.
  private func measuredAlbum(_ album: Int64) throws(StoreError) -> MeasuredLoudness? {
    let rows = try database.prepare(
      """
      SELECT is_stale, unfit, peak, blocks, \(Self.untold) FROM item LEFT JOIN loudness ON loudness.item = item.id
      WHERE \(Self.isWhole) AND album = ?1 LIMIT \(Self.mostTracks + 1)
      """)
    try rows.bind(album)
    var (blocks, peak, count) = (LoudnessBlocks(), Float.zero, 0)
    while try rows.step() {
      count += 1
      // A track that was not measured yet has no loudness. One that was may have got tags with gains since.
      guard !rows.isNull(0), rows.number(4) != 0, count <= Self.mostTracks else { return nil }
      guard rows.isNull(1), let track = LoudnessBlocks(bytes: rows.bytes(3)) else { continue }
      blocks.add(track)
      peak = max(peak, Float(rows.real(2)))
    }
    return MeasuredLoudness(integrated: blocks.integrated, peak: peak, blocks: blocks)
  }
}

/// Why an item can't be measured before its file changes.
package struct UnfitSound: Error, Sendable, Hashable {
  /// The rest of a sentence that begins with the file's name.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
