// SPDX-License-Identifier: MIT
package import MediaModel

/// A sound file or a CUE sheet that a walk through folders found.
package struct FoundFile: Sendable, Hashable {
  package var path: FilePath
  package var stamp: FileStamp

  package init(path: FilePath, stamp: FileStamp) { (self.path, self.stamp) = (path, stamp) }
}

/// The result of a walk through folders: the files that it found, and the folders that it could not list.
package struct FolderWalk: Sendable, Hashable {
  /// The folders where the walk began.
  package var roots: [FilePath]
  /// The sound files that are new or changed, each path once.
  package var files: [FoundFile] = []
  /// How many more sound files there are, all unchanged.
  package var settledCount = 0
  /// The roots below which the walk has found a file that has not changed since the last scan. A root without any file looks like an empty mount point.
  package var settledRoots: Set<FilePath> = []
  /// The folders with a CUE sheet in which something is new or other than before.
  package var sheetFolders: Set<FilePath> = []
  /// The folders that could not be listed to their end. Nothing is known of what is below them.
  package var unseen: [FilePath] = []
  /// The devices on which the walk found a folder or a file.
  package var devices: Set<UInt64> = []
  /// The devices of the unchanged files.
  package var settledDevices: Set<UInt64> = []
  /// The devices of the roots, and of folders on another device than the folder above them, by their paths.
  package var mounts: [FilePath: UInt64] = [:]

  package init(
    _ roots: [FilePath], files: [FoundFile] = [], unseen: [FilePath] = [], devices: Set<UInt64> = []
  ) {
    (self.roots, self.files, self.unseen, self.devices) = (roots, files, unseen, devices)
  }

  /// The device of the nearest folder above a path that the walk has entered; nil if there is none.
  func device(above path: FilePath) -> UInt64? {
    sequence(first: path, next: \.parent).dropFirst().lazy.compactMap { mounts[$0] }.first
  }

  /// The roots in which no sound file was found: empty folders, and those that could not be listed.
  package var emptyRoots: [FilePath] {
    roots.filter { root in !settledRoots.contains(root) && !files.contains { $0.path.isBelow(root) } }
  }
}

/// Why reading a sound file during a scan gave no `FileRecord`.
package enum ReadingFailure: Error, Sendable, Hashable {
  /// The file is gone by now, so there is nothing to report about it.
  case vanished
  /// The file could not be opened or its disk failed. It is tried again at the next scan.
  case unreadable(String)
  /// The file's content can't be read. It is not read again until it changes.
  case unsound(String)
}

/// Decides which files a scan has to open, and what happens to the files that the library knows. Reads no file itself.
///
/// A file that was moved keeps its item, and so its counts and ratings. On the same device it is recognized by its stamp, elsewhere by its
/// fingerprint. A file that is gone is hidden only if its folder could be listed and its disk is there, so that an unmounted disk loses nothing. A
/// folder of the library without a single sound file counts as an empty mount point, and nothing in it is hidden. What seems gone is hidden only when
/// everything was read, because it may be found elsewhere; except a file whose name another one has by now, which gives that name up at once.
///
/// Use it in this order: pass what the CUE sheets of `sheetFolders` say to `take`, which adds to the following; apply `changes`, open `toOpen`, apply the
/// changes that `read` returns for each file, apply `endingChanges`. A scan may stop at any point; the next one finds the rest.
package struct ScanPlan: Sendable {
  /// The changes that follow from the walk alone, to be applied in this order and in one transaction.
  package private(set) var changes: [FileChange] = []
  /// The files to be read, in the order of the walk; behind them those that are as they were, but of which a CUE sheet says something else.
  package private(set) var toOpen: [FoundFile] = []
  /// The folders whose CUE sheets are to be read.
  package private(set) var sheetFolders: [FilePath] = []
  /// How many files are not there and are shown all the same, since their disk or folder could not be seen.
  package private(set) var keptCount = 0
  /// The roots of the walk with such a file whose disk was nowhere.
  package private(set) var rootsLackingDisks: Set<FilePath> = []
  /// The files that could not be opened, with the reasons. They are tried again by the next scan.
  package private(set) var unreadable: [(path: FilePath, reason: String)] = []
  private static let mostUnreadable = 10_000
  /// How many of the files to be read are in the walk's `settledCount`, its count of unchanged files.
  package private(set) var reopenedCount = 0

  /// The known files at the paths of `toOpen`, by path. What is read there tells whether a file was changed or replaced.
  private var knownToOpen: [FilePath: KnownFile] = [:]
  /// Which part of the files to be read the next scan may have to read again: those that were known before, since they change, and those that could not be
  /// read. Call it when all have been read.
  package var shareOfRepeatedReading: Double {
    toOpen.isEmpty ? 1 : min(1, Double(knownToOpen.count + unreadable.count) / Double(toOpen.count))
  }
  /// The known files that are not at their path and may have been moved, by fingerprint.
  private var lost: [AudioFingerprint: [KnownFile]] = [:]
  /// The files to be hidden, as they are gone, unless they are found elsewhere while files are read.
  private var gone: [KnownFile] = []
  private var movedIDs: Set<MediaItem.ID> = []
  private var sheets: ScanSheets
  private var findings = SheetFindings()

  /// Compares what a walk saw with the files that the library knows in its folders: all of them, or only those that the walk did not find unchanged.
  /// In the second case `index` has all.
  package init(_ whole: FolderWalk, known all: [KnownFile], index: KnownIndex? = nil) {
    var walk = whole
    walk.files.removeAll(where: \.path.isSheet)
    let known = all.filter { !$0.path.isSheet }
    let comparison = ScanComparison(walk, known) { index?.stamps ?? Set(known.lazy.map(\.stamp.hashValue)) }
    let sight = Sight(walk)
    sheets = ScanSheets(whole, all, comparison.stayed) { sight.reaches(comparison.numberedAnew($0)) }
    changes = comparison.changes + sheets.touches
    toOpen = comparison.toOpen
    knownToOpen = comparison.knownToOpen
    for file in comparison.absent {
      let isSeen = sight.reaches(file)
      if let fingerprint = file.fingerprint, isSeen || file.isHidden {
        lost[fingerprint, default: []].append(file)
      }
      guard !file.isHidden else { continue }
      if isSeen {
        gone.append(file)
      } else {
        keptCount += 1
        if !whole.devices.contains(file.stamp.device), !sight.isBelowUnlisted(file.path) {
          note(lacksDisk: file.path, in: whole.roots)
        }
      }
    }
    let shifted = comparison.stayed.filter(\.isShifted)
    sheetFolders = sheets.folders(
      whole, came: toOpen.map(\.path) + shifted.map(\.found.path),
      left: gone.map(\.path) + shifted.map(\.known.path))
    // What a sheet said of a file in another folder, or before the file was gone, may count no more. A name's extension may decide what a file is: an
    // audiobook, or MPEG audio that only its name gives away.
    for file in shifted
    where file.known.isSheeted || file.known.path.pathExtension != file.found.path.pathExtension {
      open(file)
    }
  }

  private mutating func note(lacksDisk path: FilePath, in roots: [FilePath]) {
    guard rootsLackingDisks.count < roots.count else { return }
    rootsLackingDisks.formUnion(roots.lazy.filter(path.isBelow))
  }

  // MARK: Sheets

  /// Takes what the sheets of `sheetFolders` say, and the files that the library knows in these folders. Files of which a sheet says something, or
  /// did, are then opened again.
  package mutating func take(_ findings: SheetFindings, known: [KnownFile]) {
    self.findings = findings
    // While a sheet can't be read, what it said before counts. The next scan reads it again, though it may be as it was.
    let unclear = findings.unlisted.union(findings.unread.lazy.compactMap(\.parent))
    for sheet in known where findings.unread.contains(sheet.path) {
      changes.append(.touch(sheet.id, sheet.stamp.ofNoFile))
    }
    let folders = Set(sheetFolders).subtracting(unclear)
    for file in sheets.present(in: folders, known.filter({ folders.hasFolder(of: $0.path) }))
    where knownToOpen[file.found.path] == nil {
      guard file.known.isSheeted || findings.files[file.found.path] != nil else { continue }
      open(file)
      if sheets.isSettled(file.known) { reopenedCount += 1 }
    }
    // A sheet may have named a file that is gone. With the stamp of no file it is opened by the next scan if it is back by then.
    let divided = Set(knownToOpen.keys.lazy.compactMap(\.parent)).intersection(folders)
    for file in gone where divided.hasFolder(of: file.path) {
      changes.append(.touch(file.id, file.stamp.ofNoFile))
    }
  }

  /// Has a file opened that is as it was. It gets the stamp of no file, so that the next scan opens it if this one does not come to that.
  private mutating func open(_ file: StayedFile) {
    changes.append(.touch(file.known.id, file.found.stamp.ofNoFile))
    toOpen.append(file.found)
    knownToOpen[file.found.path] = file.known
  }

  // MARK: Reading

  /// Takes what reading a file of `toOpen` found, and returns the changes that follow from it.
  package mutating func read(_ file: FoundFile, _ result: Result<FileRecord, ReadingFailure>) -> [FileChange]
  {
    let known = knownToOpen[file.path]
    switch result {
    case .success(let record):
      let record = record.divided(by: findings.files[file.path])
      if let known { return [.update(known.id, file.stamp, record)] }
      guard let moved = takeLost(file, record.fingerprint) else {
        return [.add(file.path, file.stamp, record)]
      }
      return [.move(moved.id, file.path, file.stamp), .update(moved.id, file.stamp, record)]
    case .failure(.vanished): return []
    case .failure(.unreadable(let reason)):
      if unreadable.count < Self.mostUnreadable { unreadable.append((file.path, reason)) }
      // The failure was reported already, and nothing is new.
      if let known, known.failure == reason, !known.isHidden { return [] }
      return [.failed(file.path, file.stamp.ofNoFile, reason)]
    case .failure(.unsound(let reason)): return [.failed(file.path, file.stamp, reason)]
    }
  }

  /// The changes that remain when everything was read: files that are gone are hidden.
  package var endingChanges: [FileChange] {
    gone.filter { !movedIDs.contains($0.id) }.map { .hide($0.id) } + sheets.endingChanges(findings)
  }

  /// The known file that was moved here, by its fingerprint; it then no longer counts as lost. Of several equal copies, the most similar one is
  /// taken.
  private mutating func takeLost(_ file: FoundFile, _ fingerprint: AudioFingerprint?) -> KnownFile? {
    guard let fingerprint, let copies = lost[fingerprint],
      let best = copies.indices.max(by: { likeness(copies[$0], file) < likeness(copies[$1], file) })
    else { return nil }
    let taken = copies[best]
    lost[fingerprint]?.remove(at: best)
    movedIDs.insert(taken.id)
    return taken
  }

  private func likeness(_ known: KnownFile, _ file: FoundFile) -> Int {
    (known.stamp.isSameContent(as: file.stamp) ? 4 : 0) + (known.isHidden ? 0 : 2)
      + (known.path.nameBytes == file.path.nameBytes ? 1 : 0)
  }
}

/// Tells which known files a walk would have found if they were there.
private struct Sight {
  private let unseen: Set<FilePath>
  private let unlisted: Set<FilePath>
  private let devices: Set<UInt64>

  init(_ walk: FolderWalk) {
    unlisted = Set(walk.unseen)
    unseen = unlisted.union(walk.emptyRoots)
    devices = walk.devices
  }

  func reaches(_ file: KnownFile) -> Bool {
    devices.contains(file.stamp.device) && !path(file.path, isBelow: unseen)
  }

  /// Whether the path is in a folder that could not be listed.
  func isBelowUnlisted(_ path: FilePath) -> Bool { self.path(path, isBelow: unlisted) }

  private func path(_ path: FilePath, isBelow folders: Set<FilePath>) -> Bool {
    guard !folders.isEmpty else { return false }
    return sequence(first: path, next: \.parent).contains(where: folders.contains)
  }
}

extension FileStamp {
  /// Whether a file with this stamp at the same path most likely has the same content, even if it is on another device.
  func isSameContent(as other: FileStamp) -> Bool {
    size == other.size && modified == other.modified
  }

  /// A stamp that no file has. The next scan opens a file that is noted with it again.
  var ofNoFile: FileStamp { FileStamp(size: -1, modified: modified, inode: 0, device: device) }
}
