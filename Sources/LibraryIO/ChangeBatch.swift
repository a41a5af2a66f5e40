// SPDX-License-Identifier: MIT
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO

/// Writes the changes that a scan found, inside one transaction. Belongs to the store's thread.
final class ChangeBatch {
  private let store: LibraryStore
  private let now: Int64
  private var nextID: Int64
  private let itemAt: Statement
  private let look: Statement
  private let readParts: Statement
  private let setPath: Statement
  private let setStamp: Statement
  private let setState: Statement
  private let insertEmpty: Statement
  private let setFailure: Statement
  /// Where the files were that are moved, before `makeWay`.
  private var formerPaths: [MediaItem.ID: FilePath] = [:]

  init(_ store: LibraryStore, at now: Int64) throws(StoreError) {
    let database = store.database
    (self.store, self.now) = (store, now)
    nextID = try database.number(
      "SELECT max(ifnull((SELECT value FROM counter WHERE name = 'item'), 0), ifnull((SELECT max(id) FROM item), 0)) + 1"
    )
    itemAt = try database.prepare("SELECT id FROM item WHERE path = ?1 AND part_start < 0")
    look = try database.prepare(
      """
      SELECT path, state, is_titled, fingerprint, hidden_at, size = -1 AND failure IS NULL, modified
      FROM item WHERE id = ?1
      """)
    readParts = try database.prepare(
      """
      SELECT id, part_start, state, hidden_at, fingerprint FROM item
      WHERE path = (SELECT path FROM item WHERE id = ?1) AND part_start >= 0 ORDER BY part_start
      """)
    // The parts of a file go with it.
    setPath = try database.prepare(
      "UPDATE item SET path = ?2 WHERE path = (SELECT path FROM item WHERE id = ?1)")
    setStamp = try database.prepare(
      "UPDATE item SET size = ?2, modified = ?3, inode = ?4, device = ?5, changed = ?6 WHERE id = ?1")
    setState = try database.prepare("UPDATE item SET state = ?2, hidden_at = ?3 WHERE id = ?1")
    insertEmpty = try database.prepare(
      """
      INSERT INTO item (id, path, state, added, title, is_titled, folded, key, further, size, modified, inode, device,
        compilation, media_type, has_picture, rating, play_count, skip_count, part_start, sheeted)
      VALUES (?1, ?2, ?3, ?4, '', 0, '', x'', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \(LibraryTables.wholeFile), 0)
      """)
    setFailure = try database.prepare("UPDATE item SET failure = ?2 WHERE id = ?1")
  }

  /// Gives all moved items a path that no file has (it begins with a zero byte), before they get their new ones. Two files may have exchanged their
  /// paths, and no two items may have the same path.
  func makeWay(for changes: [FileChange]) throws(StoreError) {
    for case .move(let id, _, _) in changes {
      formerPaths[id] = try known(id)?.path
      try setPath.run(id.rawValue, [0] + Array(String(id.rawValue).utf8))
    }
  }

  func apply(_ change: FileChange, _ applied: inout AppliedChanges) throws(StoreError) {
    switch change {
    case .add(let path, let stamp, let record): try add(path, stamp, record, &applied)
    case .update(let id, let stamp, let record): try update(id, stamp, record, &applied)
    case .move(let id, let path, let stamp): try move(id, path, stamp, &applied)
    case .touch(let id, let stamp): try setStamp(of: id, stamp)
    case .hide(let id): try hide(id, &applied)
    case .displace(let id, let path):
      try setPath(of: id, path)
      // What is noted of the item goes with it. Else the file that has its name now would inherit that.
      for id in [id.rawValue] + (try parts(of: id).map(\.id)) { try store.listening.followPath(id) }
      try hide(id, &applied)
    case .show(let id, let stamp):
      try setStamp(of: id, stamp)
      try show(id, &applied)
    case .failed(let path, let stamp, let reason): try fail(path, stamp, reason, &applied)
    case .sheet(let path, let stamp): try note(sheet: path, stamp)
    case .forget(let id): try store.writer.remove(id.rawValue)
    }
  }

  func finish() throws(StoreError) {
    try store.writer.flush()
    try store.database.run("REPLACE INTO counter VALUES ('item', \(nextID - 1))")
  }

  // MARK: One change

  private struct Known {
    let path: FilePath?
    let state: LibraryTables.State
    let isTitled: Bool
    let fingerprint: [UInt8]
    /// When the item was hidden because its file is missing; nil if it is not hidden.
    let hiddenAt: Int64?
    /// Whether the file is read once more, although it has not changed.
    let isReadAnew: Bool
    /// When the file was changed last, as it was read before.
    let modified: Int64
  }

  private func known(_ id: MediaItem.ID) throws(StoreError) -> Known? {
    try look.bind(id.rawValue)
    guard try look.step() else { return nil }
    defer { look.reset() }
    return Known(
      path: FilePath(look.bytes(0)), state: LibraryTables.State(rawValue: look.number(1)) ?? .unread,
      isTitled: look.number(2) != 0, fingerprint: look.bytes(3),
      hiddenAt: look.isNull(4) ? nil : look.number(4), isReadAnew: look.number(5) != 0,
      modified: look.number(6))
  }

  private func item(at path: FilePath) throws(StoreError) -> MediaItem.ID? {
    try itemAt.bind(path.bytes)
    guard try itemAt.step() else { return nil }
    defer { itemAt.reset() }
    return MediaItem.ID(rawValue: itemAt.number(0))
  }

  private func takeID() -> MediaItem.ID {
    defer { nextID += 1 }
    return MediaItem.ID(rawValue: nextID)
  }

  private func add(
    _ path: FilePath, _ stamp: FileStamp, _ record: FileRecord, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    let id = takeID()
    guard try store.writer.add(id.rawValue, WrittenItem(path, stamp, record), at: now) else {
      if let other = try item(at: path) { try update(other, stamp, record, &applied) }
      return
    }
    try store.listening.recognize(id.rawValue, record.fingerprint?.rawValue, path)
    guard record.parts.isEmpty else {
      return try divide(id, path, stamp, record, isSameFile: false, &applied)
    }
    applied.added.append(id)
  }

  private func update(
    _ id: MediaItem.ID, _ stamp: FileStamp, _ record: FileRecord, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    guard let known = try known(id), let path = known.path else { return }
    try store.writer.rewrite(id.rawValue, WrittenItem(path, stamp, record))
    // A change of the tags alone changes no sound, so the measured loudness stays. So it does where only the way to tell sounds apart has changed. A file
    // that could not be measured may have been mended all the same.
    let isSameFile = known.isReadAnew && known.modified == stamp.modified
    let isSameSound = record.fingerprint != nil && record.fingerprint?.rawValue == known.fingerprint
    if !isSameFile, !isSameSound {
      try store.writer.forgetLoudness(of: id.rawValue)
    } else {
      try store.forgetFailedLoudness(of: id)
    }
    if !isSameFile, !isSameSound, let fingerprint = record.fingerprint, !known.fingerprint.isEmpty {
      // Another song may have this name now, such as where files were renumbered. Whose record it is, is decided when everything was read.
      try store.listening.release(id.rawValue, fingerprint.rawValue, path)
    } else if !isSameSound {
      try store.listening.follow(id.rawValue)
    }
    if known.state == .unread {
      try store.listening.recognize(id.rawValue, record.fingerprint?.rawValue, path)
    } else if !isSameSound, let fingerprint = record.fingerprint {
      // It may have been read while it was being copied, and was another sound by then.
      try store.listening.recognizeAgain(id.rawValue, fingerprint.rawValue, path)
    }
    let isCut = !record.parts.isEmpty
    if isCut, known.state == .shown { applied.removed.append(id) }
    if !isCut { note(id, known.state, &applied) }
    try divide(id, path, stamp, record, isSameFile: isSameFile, &applied)
  }

  private func move(
    _ id: MediaItem.ID, _ path: FilePath, _ stamp: FileStamp, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    guard let known = try known(id) else { return }
    // The moved file has this path now, so whatever file had it before is gone.
    if let other = try item(at: path), other != id { applied.removed += try store.removeWhole(path, but: id) }
    try setPath(of: id, path)
    try setStamp(of: id, stamp)
    if let former = formerPaths[id], former != path { applied.moves.append(FileMove(from: former, to: path)) }
    if known.state != .unread { try store.writer.rename(id.rawValue, path, isTitled: known.isTitled) }
    // After a crash, the item's listening record may not be linked to it.
    try store.listening.recognizeAgain(id.rawValue, known.fingerprint, path)
    try store.listening.followPath(id.rawValue)
    for part in try parts(of: id) {
      try store.listening.recognizeAgain(part.id, known.fingerprint, path, part: part.start)
      try store.listening.followPath(part.id)
      if known.state == .cut, part.isShown { applied.changed.append(MediaItem.ID(rawValue: part.id)) }
    }
    if known.state == .hidden {
      try show(id, &applied)
    } else if known.state == .shown {
      if !known.isTitled { try store.writer.showInSearch(id.rawValue) }
      applied.changed.append(id)
    }
  }

  private func setPath(of id: MediaItem.ID, _ path: FilePath) throws(StoreError) {
    try setPath.run(id.rawValue, path.bytes)
  }

  private func setStamp(of id: MediaItem.ID, _ stamp: FileStamp) throws(StoreError) {
    try setStamp.run(
      id.rawValue, stamp.size, stamp.modified, Int64(bitPattern: stamp.inode),
      Int64(bitPattern: stamp.device), stamp.changed)
  }

  private func hide(_ id: MediaItem.ID, _ applied: inout AppliedChanges) throws(StoreError) {
    guard let known = try known(id) else { return }
    switch known.state {
    case .hidden: return
    case .unread, .sheet: try store.writer.remove(id.rawValue)
    case .shown: try hideItem(id.rawValue, &applied)
    case .cut:
      try setState(of: id, .hidden, since: now)
      for part in try parts(of: id) where part.isShown { try hideItem(part.id, &applied) }
    }
  }

  private func hideItem(_ id: Int64, _ applied: inout AppliedChanges) throws(StoreError) {
    try setState(of: MediaItem.ID(rawValue: id), .hidden, since: now)
    store.writer.hideFromSearch(id)
    store.listening.noteGone()
    applied.removed.append(MediaItem.ID(rawValue: id))
  }

  private func show(_ id: MediaItem.ID, _ applied: inout AppliedChanges) throws(StoreError) {
    guard let known = try known(id), known.state == .hidden else { return }
    // The parts that were hidden together with the file are shown again, instead of the file.
    let parts = try parts(of: id).filter { $0.hiddenAt != nil && $0.hiddenAt == known.hiddenAt }
    guard parts.isEmpty else {
      try setState(of: id, .cut, since: nil)
      for part in parts {
        try showItem(part.id, known.fingerprint, known.path, part: part.start, &applied)
      }
      return
    }
    try showItem(id.rawValue, known.fingerprint, known.path, &applied)
  }

  private func showItem(
    _ id: Int64, _ fingerprint: [UInt8], _ path: FilePath?, part start: DiscTime? = nil,
    _ applied: inout AppliedChanges
  ) throws(StoreError) {
    try setState(of: MediaItem.ID(rawValue: id), .shown, since: nil)
    try store.writer.showInSearch(id)
    // Another file may have taken the listening record while this one was missing.
    try store.listening.recognizeAgain(id, fingerprint, path, part: start)
    applied.added.append(MediaItem.ID(rawValue: id))
  }

  private func setState(
    of id: MediaItem.ID, _ state: LibraryTables.State, since moment: Int64?
  ) throws(StoreError) {
    try setState.run(id.rawValue, state.rawValue, moment)
  }

  // MARK: Parts

  private struct Part {
    let id: Int64
    let start: DiscTime
    let isShown: Bool
    /// When the part was hidden, because its file was missing or had it no more; nil if it is not hidden.
    let hiddenAt: Int64?
    /// The fingerprint of the sound that it was read with; empty if there is none.
    let fingerprint: [UInt8]
  }

  /// The parts of a file, such as the tracks of a CUE sheet, that the library has, hidden ones included, in their order.
  private func parts(of file: MediaItem.ID) throws(StoreError) -> [Part] {
    try readParts.bind(file.rawValue)
    var parts: [Part] = []
    while try readParts.step() {
      guard let part = LibraryTables.part(readParts.number(1), end: nil) else { continue }
      parts.append(
        Part(
          id: readParts.number(0), start: part.start,
          isShown: readParts.number(2) == LibraryTables.State.shown.rawValue,
          hiddenAt: readParts.isNull(3) ? nil : readParts.number(3), fingerprint: readParts.bytes(4)))
    }
    return parts
  }

  /// Writes the parts of a file, after the file itself. Parts that the library has and the file has no more are hidden. `isSameFile` says that the file
  /// is as it was, so that another fingerprint is no other sound.
  private func divide(
    _ file: MediaItem.ID, _ path: FilePath, _ stamp: FileStamp, _ record: FileRecord, isSameFile: Bool,
    _ applied: inout AppliedChanges
  ) throws(StoreError) {
    let known = try parts(of: file)
    guard !known.isEmpty || !record.parts.isEmpty else { return }
    let pairs = PartPairs.find(record.parts.map(\.part.start), among: known.map { ($0.start, $0.isShown) })
    let kept = Set(pairs.compactMap { $0 })
    for (index, part) in known.enumerated() where part.isShown && !kept.contains(index) {
      try hideItem(part.id, &applied)
    }
    for (part, pair) in zip(record.parts, pairs) {
      try write(
        WrittenItem(part, of: path, stamp, record), pair.map { known[$0] }, isSameFile: isSameFile, &applied)
    }
  }

  /// Writes a part of a file: over the part that the library has already (`known`), or as a new item.
  private func write(
    _ item: WrittenItem, _ known: Part?, isSameFile: Bool, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    let fingerprint = item.record.fingerprint?.rawValue
    let id = known.map { MediaItem.ID(rawValue: $0.id) } ?? takeID()
    if let known {
      try store.writer.rewrite(id.rawValue, item)
      try store.listening.recognizeAgain(id.rawValue, fingerprint ?? [], item.path, part: item.part?.start)
      let wasOther = known.fingerprint != fingerprint && !known.fingerprint.isEmpty && !isSameFile
      if wasOther, let fingerprint {
        // Another disc may have this name now. Whose record it is, is decided when everything was read.
        try store.listening.release(id.rawValue, fingerprint, item.path, part: item.part?.start)
      } else {
        try store.listening.follow(id.rawValue)
      }
      note(id, known.isShown ? .shown : .hidden, &applied)
    } else if try store.writer.add(id.rawValue, item, at: now) {
      try store.listening.recognize(id.rawValue, fingerprint, item.path, part: item.part?.start)
      applied.added.append(id)
    }
  }

  // MARK: Sheets, and what can't be read

  /// Stores the stamp of a CUE sheet that was read, so that the next scan reads it again only if it has changed.
  private func note(sheet path: FilePath, _ stamp: FileStamp) throws(StoreError) {
    if let known = try item(at: path) {
      try setStamp(of: known, stamp)
    } else {
      try setStamp(of: addEmpty(path, .sheet), stamp)
    }
  }

  private func addEmpty(
    _ path: FilePath, _ state: LibraryTables.State
  ) throws(StoreError) -> MediaItem.ID {
    let id = takeID()
    try insertEmpty.run(id.rawValue, path.bytes, state.rawValue, now)
    return id
  }

  private func fail(
    _ path: FilePath, _ stamp: FileStamp, _ reason: String, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    let id: MediaItem.ID
    if let known = try item(at: path) {
      id = known
      try show(id, &applied)
    } else {
      id = try addEmpty(path, .unread)
    }
    try setStamp(of: id, stamp)
    try setFailure.run(id.rawValue, reason)
  }

  private func note(
    _ id: MediaItem.ID, _ before: LibraryTables.State, _ applied: inout AppliedChanges
  ) {
    if before == .shown { applied.changed.append(id) } else { applied.added.append(id) }
  }
}
