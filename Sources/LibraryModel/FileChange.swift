// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel

/// A sound file, or a CUE sheet, as the library knows it. A scan compares it with the file in the folder.
package struct KnownFile: Sendable, Hashable {
  /// The library's item for the file.
  package var id: MediaItem.ID
  package var path: FilePath
  /// The file's size, time and number on its disk when it was read. While they are the same, it need not be opened again.
  package var stamp: FileStamp
  /// The sound's fingerprint; nil if the file could not be read, or if its sound is too short for one.
  package var fingerprint: AudioFingerprint?
  /// Whether the file was missing at the last scan. Its item is kept for a while, but not shown.
  package var isHidden: Bool
  /// Why the last reading of the file failed; nil if it did not. The file is not read again until its stamp changes.
  package var failure: String?
  /// Whether a CUE sheet said something of the file when it was read.
  package var isSheeted: Bool

  package init(
    id: MediaItem.ID, path: FilePath, stamp: FileStamp, fingerprint: AudioFingerprint? = nil,
    isHidden: Bool = false, failure: String? = nil, isSheeted: Bool = false
  ) {
    (self.id, self.path, self.stamp) = (id, path, stamp)
    (self.fingerprint, self.isHidden, self.failure) = (fingerprint, isHidden, failure)
    self.isSheeted = isSheeted
  }
}

/// The result of reading a sound file.
package struct FileRecord: Sendable, Hashable {
  package var tags: MediaTags
  /// The sound's rate and channels; nil if the file doesn't state them or they can't be played.
  package var format: AudioFormat?
  /// The bit rate in thousands of bits a second; nil if not known.
  package var kilobits: Int?
  package var hasPicture: Bool
  package var fingerprint: AudioFingerprint?
  /// The parts that are items instead of the file, in their order; empty if the file itself is the item.
  package var parts: [PartRecord] = []
  /// Whether a CUE sheet says something of the file.
  package var isSheeted = false

  package init(
    tags: MediaTags, format: AudioFormat? = nil, kilobits: Int? = nil, hasPicture: Bool = false,
    fingerprint: AudioFingerprint? = nil
  ) {
    (self.tags, self.format, self.kilobits) = (tags, format, kilobits)
    (self.hasPicture, self.fingerprint) = (hasPicture, fingerprint)
  }
}

/// One change that a scan has found, to be written into the library.
package enum FileChange: Sendable, Hashable {
  /// A file that the library doesn't know yet.
  case add(FilePath, FileStamp, FileRecord)
  /// A known file was written since it was read; the record has its new content. It is shown again if it was hidden.
  case update(MediaItem.ID, FileStamp, FileRecord)
  /// A known file has another path and the same sound. It is shown again if it was hidden.
  case move(MediaItem.ID, FilePath, FileStamp)
  /// A known file has another stamp, and its content is the same.
  case touch(MediaItem.ID, FileStamp)
  /// A known file is missing, so its item is not shown any more.
  case hide(MediaItem.ID)
  /// A known file is missing, and another known one has got its name. Its item is not shown any more, and is kept under this path, which no file has.
  case displace(MediaItem.ID, FilePath)
  /// A missing file is there again as it was, so its item is shown again.
  case show(MediaItem.ID, FileStamp)
  /// A file, known or not, can't be read; the text is the reason for people. An item that was read before keeps its tags.
  case failed(FilePath, FileStamp, String)
  /// A CUE sheet was found, or read. Its path gets a row with this stamp, so that its changes are seen.
  case sheet(FilePath, FileStamp)
  /// A known CUE sheet is gone, and its row is deleted.
  case forget(MediaItem.ID)
}

/// Facts from a file's status that tell whether its content may have changed. While the stamp is the same, the file need not be opened again.
///
/// Two stamps are equal even if the status has changed, because a file that is renamed or gets other permissions keeps its content. A program that writes
/// tags and sets the file's time back shows in nothing else, though, so such a file is read again.
package struct FileStamp: Sendable, Hashable {
  /// The file's size in bytes.
  package var size: Int64
  /// When the file was last written, in nanoseconds since 1970.
  package var modified: Int64
  /// The file's inode number on its device. It stays the same when the file is moved within the device.
  package var inode: UInt64
  package var device: UInt64
  /// When the file's status was last changed, in nanoseconds since 1970; 0 if that is not known, or the file system does not tell it reliably.
  package var changed: Int64

  package init(size: Int64, modified: Int64, inode: UInt64, device: UInt64, changed: Int64 = 0) {
    (self.size, self.modified, self.changed) = (size, modified, changed)
    (self.inode, self.device) = (inode, device)
  }

  package static func == (first: FileStamp, second: FileStamp) -> Bool {
    (first.size, first.modified, first.inode, first.device)
      == (second.size, second.modified, second.inode, second.device)
  }

  package func hash(into hasher: inout Hasher) {
    for number in [size, modified] { hasher.combine(number) }
    for number in [inode, device] { hasher.combine(number) }
  }

  /// Whether the file's status was changed between the two stamps, as far as both tell that.
  func hasOtherStatus(than other: FileStamp) -> Bool {
    changed != 0 && other.changed != 0 && changed != other.changed
  }

  /// Whether this may be another file in the place of the one with the other stamp, though size and time are equal: a program may write a new file with
  /// other tags, give it the time of the old one and put it there. Disks whose numbers have changed, and those whose inodes mean nothing, do not count.
  func mayReplace(_ other: FileStamp) -> Bool {
    device == other.device && inode != other.inode && hasOtherStatus(than: other)
  }

  /// Whether only this one tells when the status was changed.
  func tellsStatus(unlike other: FileStamp) -> Bool { changed != 0 && other.changed == 0 }
}

/// Gathers the changes that a scan finds, to write them together, because a transaction costs far more than a row. No change waits longer than
/// `patience`, so that people see the library grow, and a scan that is killed loses little.
package struct ScanBatch: Sendable {
  /// About how many changes are written in one transaction.
  package static let size = 512
  /// How long a change waits at most while others come.
  package static let patience = Duration.seconds(1)
  /// How many files are given at once to the process that reads their tags. After each such group a scan checks whether it was cancelled.
  package static let filesAtOnce = 64

  private var changes: [FileChange] = []
  /// When the first of the waiting changes came.
  private var since: Duration?

  /// A batch without changes.
  package init() {}

  /// Adds changes. Returns all waiting changes if they are to be written now, and an empty list otherwise.
  package mutating func add(_ new: [FileChange], at now: Duration) -> [FileChange] {
    if changes.isEmpty, !new.isEmpty { since = now }
    changes += new
    let isDue = changes.count >= Self.size || since.map { now - $0 >= Self.patience } ?? false
    return isDue ? rest() : []
  }

  /// Takes out all waiting changes, to be written now.
  package mutating func rest() -> [FileChange] {
    defer { (changes, since) = ([], nil) }
    return changes
  }
}

/// A file that the library knew and has found elsewhere, or under another name.
package struct FileMove: Sendable, Hashable {
  package var from: FilePath
  package var to: FilePath

  package init(from: FilePath, to: FilePath) { (self.from, self.to) = (from, to) }
}

/// The items that a batch of changes has added, changed and removed.
package struct AppliedChanges: Sendable, Hashable {
  package var added: [MediaItem.ID] = []
  package var changed: [MediaItem.ID] = []
  package var removed: [MediaItem.ID] = []
  /// The files that were found at other paths than before.
  package var moves: [FileMove] = []

  package init() {}

  package var counts: ChangeCounts {
    ChangeCounts(added: added.count, changed: changed.count, removed: removed.count)
  }

  /// The same with each item and each move once: one that was both moved and read anew has changed once, and one that came has not changed as well. Of a
  /// file that gave up its path for another one before it got its new one, only the last move counts.
  package var settled: AppliedChanges {
    var told = Set(added)
    var settled = self
    settled.changed = changed.filter { told.insert($0).inserted }
    var moved: Set<FilePath> = []
    settled.moves = moves.reversed().filter { moved.insert($0.from).inserted }.reversed()
    return settled
  }
}

/// How many items of the library were added, changed and removed. The bus reports these numbers.
package struct ChangeCounts: Sendable, Hashable {
  package var added = 0
  package var changed = 0
  package var removed = 0

  package init(added: Int = 0, changed: Int = 0, removed: Int = 0) {
    (self.added, self.changed, self.removed) = (added, changed, removed)
  }

  package var isEmpty: Bool { self == ChangeCounts() }

  package static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.added += right.added
    left.changed += right.changed
    left.removed += right.removed
  }
}
