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
  /// The roots with at least one unchanged file below them.
  package var settledRoots: Set<FilePath> = []
  /// The folders with a CUE sheet in which something is new or other than before.
  package var sheetFolders: Set<FilePath> = []
  /// The folders that could not be listed to their end. Nothing is known of what is below them.
  package var unseen: [FilePath] = []
  /// The devices on which the walk found a folder or a file.
  package var devices: Set<UInt64> = []
  /// The devices of the unchanged files.
  package var settledDevices: Set<UInt64> = []

  package init(
    _ roots: [FilePath], files: [FoundFile] = [], unseen: [FilePath] = [], devices: Set<UInt64> = []
  ) {
    (self.roots, self.files, self.unseen, self.devices) = (roots, files, unseen, devices)
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
/// Use it in this order: apply `changes`, open `toOpen`, apply the changes that `read` returns for each file, apply `endingChanges`. A scan may stop
/// at any point; the next one finds the rest.
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
    let comparison = Comparison(walk, known) { index?.stamps ?? Set(known.lazy.map(\.stamp.hashValue)) }
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
    let folders = Set(sheetFolders).subtracting(findings.unlisted)
    for file in sheets.present(in: folders, known) where knownToOpen[file.found.path] == nil {
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

/// Compares the paths and stamps of found and known files.
private struct Comparison {
  private(set) var changes: [FileChange] = []
  private(set) var toOpen: [FoundFile] = []
  /// The known files at whose path the content has changed, by path.
  private(set) var knownToOpen: [FilePath: KnownFile] = [:]
  /// The known files that are no longer at their path and were not found elsewhere by their stamp.
  private(set) var absent: [KnownFile] = []
  /// The known files that are as they were, of which a CUE sheet may say something else all the same: those that are elsewhere or were
  /// missing, and those of which one says something.
  private(set) var stayed: [StayedFile] = []
  /// The folders with CUE sheets.
  private let sheetFolders: Set<FilePath>

  /// The found files that have not been matched with a known one yet, by path.
  private var open: [FilePath: FoundFile] = [:]
  /// Where each moved file is now, by its old path.
  private var moves: [FilePath: FoundFile] = [:]
  /// The known files whose names other known files have got, and that are nowhere themselves. Each has the path and the hidden state that the changes
  /// give it.
  private var displaced: [MediaItem.ID: KnownFile] = [:]
  private var settled: Set<MediaItem.ID> = []
  /// The new numbers of devices that were mounted again, by their old ones; nil for an old number that has become several.
  private var newNumbers: [UInt64: UInt64?] = [:]
  /// The devices of files that have another number than before, and of those that have the same one.
  private var (renumberedDevices, keptDevices): (Set<UInt64>, Set<UInt64>) = ([], [])
  /// No device has a number with this bit.
  private static let nowhere: UInt64 = 1 << 63

  /// `allStamps` returns the hash values of the stamps of all known files, including those that are not in `known`.
  init(_ walk: FolderWalk, _ known: [KnownFile], allStamps: () -> Set<Int>) {
    sheetFolders = walk.sheetFolders
    keptDevices = walk.settledDevices
    if known.isEmpty {
      // A new library knows no files, and then the many files found should not be in memory twice.
      toOpen = walk.files
      return
    }
    let byPath = Dictionary(known.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var stamps: Set<Int>?
    for file in walk.files {
      settle(file, byPath[file.path]) { stamp in
        // The set of stamps is made only if a file has another stamp than before, which is rare.
        let all = stamps ?? allStamps()
        stamps = all
        return all.contains(stamp.hashValue)
      }
    }
    let settled = settled
    let unsettled = known.filter { !settled.contains($0.id) }
    followStamps(unsettled.map(numberedAnew), in: walk.files)
    for file in walk.files where open[file.path] != nil {
      toOpen.append(file)
      if let old = byPath[file.path], moves[old.path] == nil { knownToOpen[file.path] = old }
    }
    for file in unsettled where moves[file.path] == nil {
      let file = renumbered(displaced[file.id] ?? file, walk.devices)
      if open[file.path] == nil { absent.append(file) }
    }
    for file in unsettled {
      if let place = moves[file.path] { stayed.append(StayedFile(file, place, isShifted: true)) }
    }
  }

  /// Compares a found file with the known file at its path. `isKnown` tells whether any known file has this stamp.
  private mutating func settle(_ file: FoundFile, _ known: KnownFile?, _ isKnown: (FileStamp) -> Bool) {
    guard let known else { return open[file.path] = file }
    if known.stamp == file.stamp {
      if known.isHidden { changes.append(.show(known.id, file.stamp)) }
    } else if known.stamp.isSameContent(as: file.stamp), !isKnown(file.stamp) {
      // The disk was mounted again, or a copy was put back. If the stamp belonged to another known file, the two would have exchanged their paths.
      changes.append(known.isHidden ? .show(known.id, file.stamp) : .touch(known.id, file.stamp))
    } else {
      // A file that is only to be read anew has a size that no file has, and its disk may have another number all the same.
      if known.stamp.size < 0, known.stamp.modified == file.stamp.modified {
        note(known.stamp.device, is: file.stamp.device)
      }
      return open[file.path] = file
    }
    settled.insert(known.id)
    if known.isHidden || known.isSheeted || sheetFolders.hasFolder(of: file.path) {
      stayed.append(StayedFile(known, file, isShifted: known.isHidden))
    }
    note(known.stamp.device, is: file.stamp.device)
  }

  // MARK: Disks

  private mutating func note(_ old: UInt64, is new: UInt64) {
    guard old != new else {
      keptDevices.insert(new)
      return
    }
    renumberedDevices.insert(new)
    let isOther = newNumbers[old].map { $0 != new } ?? false
    newNumbers[old] = .some(isOther ? nil : new)
  }

  /// The present number of the disk that had this one, as far as that is known. If another disk has it, this is a number that no disk has: otherwise
  /// the next scan, which finds the other disk unchanged, would take the files of the missing one for removed.
  private func newNumber(of device: UInt64) -> UInt64? {
    newNumbers[device] ?? (isTakenOver(device) ? device | Self.nowhere : nil)
  }

  /// Whether another disk has this number now, so that the disk that had it is not there.
  private func isTakenOver(_ device: UInt64) -> Bool {
    newNumbers[device] == nil && renumberedDevices.contains(device) && !keptDevices.contains(device)
  }

  /// A file whose stamp has the present device number of its disk, as far as that is known.
  func numberedAnew(_ file: KnownFile) -> KnownFile {
    var file = file
    if let new = newNumber(of: file.stamp.device) { file.stamp.device = new }
    return file
  }

  /// A file that is not there or has another content, with the present device number of its disk. The number is written now, before the file is read:
  /// later nothing would tell that this is the same disk, once the numbers of all others are new.
  private mutating func renumbered(_ file: KnownFile, _ devices: Set<UInt64>) -> KnownFile {
    let device = file.stamp.device
    guard !file.isHidden, !devices.contains(device) || isTakenOver(device), let new = newNumber(of: device)
    else { return file }
    var file = file
    file.stamp.device = new
    changes.append(.touch(file.id, file.stamp))
    return file
  }

  // MARK: Moves

  /// Finds files that were renamed on their device: their stamps are the same as before. A file that took the name of another one counts as moved
  /// only if that other file was moved too, or was missing before. If that other file is nowhere, the two may be one song that was replaced by a better
  /// copy. But where several names have moved up, as after the first of a folder was removed, they count as moved. When the moves are applied in
  /// order, each new path is free.
  private mutating func followStamps(_ known: [KnownFile], in files: [FoundFile]) {
    let open = open
    let found = Dictionary(
      files.lazy.filter { open[$0.path] != nil }.map { ($0.stamp, $0) },
      uniquingKeysWith: { first, _ in first })
    guard !found.isEmpty else { return }
    let places = Dictionary(known.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    for file in known { follow(file, found, places) }
  }

  /// Follows a chain of renamed files to its end, and notes the moves beginning with the last one.
  private mutating func follow(
    _ first: KnownFile, _ found: [FileStamp: FoundFile], _ places: [FilePath: KnownFile]
  ) {
    var chain: [(file: KnownFile, place: FoundFile)] = []
    var names: Set<FilePath> = []
    var next = first
    while moves[next.path] == nil {
      guard let place = found[next.stamp], place.path != next.path, open[place.path] != nil else {
        guard chain.count > 1 || !chain.isEmpty && next.isHidden else { return }
        displace(next)
        break
      }
      chain.append((next, place))
      names.insert(next.path)
      guard let occupant = places[place.path] else { break }
      if occupant.path == first.path { return exchange(chain) }
      guard !names.contains(occupant.path) else { return }
      next = occupant
    }
    for (file, place) in chain.reversed() { move(file, to: place) }
  }

  /// Notes the moves of files that exchanged their names. The first one gets a temporary path until its new name is free.
  private mutating func exchange(_ circle: [(file: KnownFile, place: FoundFile)]) {
    guard let (first, place) = circle.first, let aside = first.path.aside(for: first.id) else { return }
    changes.append(.move(first.id, aside, first.stamp))
    for (file, place) in circle.dropFirst().reversed() { move(file, to: place) }
    move(first, to: place)
  }

  private mutating func displace(_ file: KnownFile) {
    guard let aside = file.path.aside(for: file.id) else { return }
    var file = file
    (file.path, file.isHidden) = (aside, true)
    displaced[file.id] = file
    changes.append(.displace(file.id, aside))
  }

  private mutating func move(_ file: KnownFile, to place: FoundFile) {
    moves[file.path] = place
    open[place.path] = nil
    changes.append(.move(file.id, place.path, place.stamp))
  }
}

extension FilePath {
  /// A path that no walk finds, for a file that has lost its old name and has no new one yet.
  fileprivate func aside(for id: MediaItem.ID) -> FilePath? {
    FilePath(bytes + Array("/.\(id.rawValue)".utf8))
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
