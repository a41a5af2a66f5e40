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
  private let setPath: Statement
  private let setStamp: Statement
  private let setState: Statement
  private let addUnread: Statement
  private let setFailure: Statement

  init(_ store: LibraryStore, at now: Int64) throws(StoreError) {
    let database = store.database
    (self.store, self.now) = (store, now)
    nextID = try database.number(
      "SELECT max(ifnull((SELECT value FROM counter WHERE name = 'item'), 0), ifnull((SELECT max(id) FROM item), 0)) + 1"
    )
    itemAt = try database.prepare("SELECT id FROM item WHERE path = ?1")
    look = try database.prepare("SELECT path, state, is_titled, fingerprint FROM item WHERE id = ?1")
    setPath = try database.prepare("UPDATE item SET path = ?2 WHERE id = ?1")
    setStamp = try database.prepare(
      "UPDATE item SET size = ?2, modified = ?3, inode = ?4, device = ?5 WHERE id = ?1")
    setState = try database.prepare("UPDATE item SET state = ?2, hidden_at = ?3 WHERE id = ?1")
    addUnread = try database.prepare(
      """
      INSERT INTO item (id, path, state, added, title, is_titled, folded, key, further, size, modified, inode, device,
        compilation, media_type, has_picture, rating, play_count, skip_count)
      VALUES (?1, ?2, ?3, ?4, '', 0, '', x'', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      """)
    setFailure = try database.prepare("UPDATE item SET failure = ?2 WHERE id = ?1")
  }

  /// Gives all moved items a path that no file has (it begins with a zero byte), before they get their new ones. Two files may have exchanged their
  /// paths, and no two items may have the same path.
  func makeWay(for changes: [FileChange]) throws(StoreError) {
    for case .move(let id, _, _) in changes {
      try setPath.bind(1, id.rawValue)
      try setPath.bind(2, ([0] + Array(String(id.rawValue).utf8))[...])
      try setPath.run()
    }
  }

  func apply(_ change: FileChange, _ applied: inout AppliedChanges) throws(StoreError) {
    switch change {
    case .add(let path, let stamp, let record): try add(path, stamp, record, &applied)
    case .update(let id, let stamp, let record): try update(id, stamp, record, &applied)
    case .move(let id, let path, let stamp): try move(id, path, stamp, &applied)
    case .touch(let id, let stamp): try setStamp(of: id, stamp)
    case .hide(let id): try hide(id, &applied)
    case .show(let id, let stamp):
      try setStamp(of: id, stamp)
      try show(id, &applied)
    case .failed(let path, let stamp, let reason): try fail(path, stamp, reason, &applied)
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
  }

  private func known(_ id: MediaItem.ID) throws(StoreError) -> Known? {
    try look.bind(1, id.rawValue)
    guard try look.step() else { return nil }
    defer { look.reset() }
    return Known(
      path: FilePath(look.bytes(0)), state: LibraryTables.State(rawValue: look.number(1)) ?? .unread,
      isTitled: look.number(2) != 0, fingerprint: look.bytes(3))
  }

  private func item(at path: FilePath) throws(StoreError) -> MediaItem.ID? {
    try itemAt.bind(1, path.bytes[...])
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
    guard try store.writer.add(id.rawValue, path, stamp, record, at: now) else {
      if let other = try item(at: path) { try update(other, stamp, record, &applied) }
      return
    }
    try store.listening.recognize(id.rawValue, record.fingerprint?.rawValue, path)
    applied.added.append(id)
  }

  private func update(
    _ id: MediaItem.ID, _ stamp: FileStamp, _ record: FileRecord, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    guard let known = try known(id), let path = known.path else { return }
    try store.writer.rewrite(id.rawValue, path, stamp, record)
    // New tags do not change the sound, so its loudness stays. It is measured again if the sound changed, or if it could not be measured before.
    if record.fingerprint == nil || record.fingerprint?.rawValue != known.fingerprint {
      try store.writer.forgetLoudness(of: id.rawValue)
    } else {
      try store.forgetFailedLoudness(of: id)
    }
    try store.listening.follow(id.rawValue)
    if known.state == .unread {
      try store.listening.recognize(id.rawValue, record.fingerprint?.rawValue, path)
    }
    note(id, known.state, &applied)
  }

  private func move(
    _ id: MediaItem.ID, _ path: FilePath, _ stamp: FileStamp, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    guard let known = try known(id) else { return }
    // Another item may still have this path; its file is no longer there, because the moved file is.
    if let other = try item(at: path), other != id {
      try store.writer.remove(other.rawValue)
      applied.removed.append(other)
    }
    try setPath.bind(1, id.rawValue)
    try setPath.bind(2, path.bytes[...])
    try setPath.run()
    try setStamp(of: id, stamp)
    if !known.isTitled, known.state != .unread { try store.writer.retitle(id.rawValue, path) }
    // After a crash, the item's listening record may not be linked to it.
    try store.listening.recognizeAgain(id.rawValue, known.fingerprint, path)
    try store.listening.follow(id.rawValue)
    if known.state == .hidden {
      try show(id, &applied)
    } else if known.state == .shown {
      if !known.isTitled { try store.writer.showInSearch(id.rawValue) }
      applied.changed.append(id)
    }
  }

  private func setStamp(of id: MediaItem.ID, _ stamp: FileStamp) throws(StoreError) {
    try setStamp.bind(1, id.rawValue)
    try setStamp.bind(2, stamp.size)
    try setStamp.bind(3, stamp.modified)
    try setStamp.bind(4, Int64(bitPattern: stamp.inode))
    try setStamp.bind(5, Int64(bitPattern: stamp.device))
    try setStamp.run()
  }

  private func hide(_ id: MediaItem.ID, _ applied: inout AppliedChanges) throws(StoreError) {
    guard let known = try known(id) else { return }
    switch known.state {
    case .hidden: return
    case .unread: try store.writer.remove(id.rawValue)
    case .shown:
      try setState(of: id, .hidden, since: now)
      store.writer.hideFromSearch(id.rawValue)
      applied.removed.append(id)
    }
  }

  private func show(_ id: MediaItem.ID, _ applied: inout AppliedChanges) throws(StoreError) {
    guard let known = try known(id), known.state == .hidden else { return }
    try setState(of: id, .shown, since: nil)
    try store.writer.showInSearch(id.rawValue)
    // Another item may have taken over the listening record while this one's file was missing.
    try store.listening.recognizeAgain(id.rawValue, known.fingerprint, known.path)
    applied.added.append(id)
  }

  private func setState(
    of id: MediaItem.ID, _ state: LibraryTables.State, since moment: Int64?
  ) throws(StoreError) {
    try setState.bind(1, id.rawValue)
    try setState.bind(2, state.rawValue)
    try setState.bind(3, moment.map { .integer($0) } ?? .null)
    try setState.run()
  }

  private func fail(
    _ path: FilePath, _ stamp: FileStamp, _ reason: String, _ applied: inout AppliedChanges
  ) throws(StoreError) {
    let id: MediaItem.ID
    if let known = try item(at: path) {
      id = known
      try show(id, &applied)
    } else {
      id = takeID()
      try addUnread.bind(1, id.rawValue)
      try addUnread.bind(2, path.bytes[...])
      try addUnread.bind(3, LibraryTables.State.unread.rawValue)
      try addUnread.bind(4, now)
      try addUnread.run()
    }
    try setStamp(of: id, stamp)
    try setFailure.bind(1, id.rawValue)
    try setFailure.bind(2, reason)
    try setFailure.run()
  }

  private func note(
    _ id: MediaItem.ID, _ before: LibraryTables.State, _ applied: inout AppliedChanges
  ) {
    if before == .shown { applied.changed.append(id) } else { applied.added.append(id) }
  }
}
