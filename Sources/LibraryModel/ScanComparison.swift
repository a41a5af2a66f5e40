// SPDX-License-Identifier: MIT
import MediaModel

/// Compares the paths and stamps of found and known files.
struct ScanComparison {
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
  private let walk: FolderWalk
  /// The devices of folders that the walk has entered.
  private let folderDevices: Set<UInt64>
  /// No device has a number with this bit.
  private static let nowhere: UInt64 = 1 << 63

  /// `allStamps` returns the hash values of the stamps of all known files, including those that are not in `known`.
  init(_ walk: FolderWalk, _ known: [KnownFile], allStamps: () -> Set<Int>) {
    self.walk = walk
    folderDevices = Set(walk.mounts.values)
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
    if known.stamp == file.stamp, file.stamp.hasOtherStatus(than: known.stamp) {
      // Its tags may be others, though it has the size and the time that it had.
      return open[file.path] = file
    } else if known.stamp == file.stamp {
      if known.isHidden {
        changes.append(.show(known.id, file.stamp))
      } else if file.stamp.tellsStatus(unlike: known.stamp) {
        changes.append(.touch(known.id, file.stamp))
      }
    } else if known.stamp.isSameContent(as: file.stamp), !file.stamp.mayReplace(known.stamp),
      !isKnown(file.stamp)
    {
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

  /// The present number of a file's disk, as far as that is known. If another disk has its number, this is a number that no disk has: otherwise the next
  /// scan, which finds the other disk unchanged, would take the files of the missing one for removed.
  private func newNumber(ofDiskOf file: KnownFile) -> UInt64? {
    let device = file.stamp.device
    return newNumbers[device] ?? (isTakenOver(file) ? device | Self.nowhere : nil)
  }

  /// Whether another disk has the number of this file's disk now, so that the file's disk is not there. No known file is as it was on the disk with this
  /// number; and either known files have come to it from another number, or it is mounted at another place than the file's.
  private func isTakenOver(_ file: KnownFile) -> Bool {
    let device = file.stamp.device
    guard newNumbers[device] == nil, !keptDevices.contains(device) else { return false }
    if renumberedDevices.contains(device) { return true }
    return folderDevices.contains(device) && walk.device(above: file.path).map { $0 != device } ?? false
  }

  /// A file whose stamp has the present device number of its disk, as far as that is known.
  func numberedAnew(_ file: KnownFile) -> KnownFile {
    var file = file
    if let new = newNumber(ofDiskOf: file) { file.stamp.device = new }
    return file
  }

  /// A file that is not there or has another content, with the present device number of its disk. The number is written now, before the file is read:
  /// later nothing would tell that this is the same disk, once the numbers of all others are new.
  private mutating func renumbered(_ file: KnownFile, _ devices: Set<UInt64>) -> KnownFile {
    let device = file.stamp.device
    guard !file.isHidden, !devices.contains(device) || isTakenOver(file), let new = newNumber(ofDiskOf: file)
    else { return file }
    var file = file
    file.stamp.device = new
    changes.append(.touch(file.id, file.stamp))
    return file
  }

  // MARK: Moves

  /// Finds files that were renamed within their file system: size, time and inode are the same as before.
  ///
  /// A file that has the name of another known file now counts as renamed only if that other one was renamed too, or was missing before. If that
  /// other one is gone, this may be a better copy of the same song, which was put in its place; so it does not count as renamed. But if several files in
  /// a row have the name of the next one, as after the first file of a numbered folder was removed, all of them count as renamed.
  ///
  /// The moves are noted in such an order that each new path is free when its turn comes; of files that exchanged their names, one gets a temporary path
  /// first.
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

/// A sound file that the library knows, and that a scan found in its place and unchanged.
struct StayedFile {
  let known: KnownFile
  let found: FoundFile
  /// Whether it has another path than before, or was missing until now.
  let isShifted: Bool

  init(_ known: KnownFile, _ found: FoundFile, isShifted: Bool) {
    (self.known, self.found, self.isShifted) = (known, found, isShifted)
  }
}

/// What a scan finds out from CUE sheets, and about the files that they may name. A sheet is known by its path and its stamp: a renamed sheet is a
/// new one.
struct ScanSheets {
  /// New stamps for CUE sheets. A sheet with the same size and time, but another inode or device, gets its present stamp. A sheet that is new,
  /// changed or gone gets a stamp that no file has. So if this scan is broken off, the next scan reads that sheet in any case.
  private(set) var touches: [FileChange] = []
  /// The sheets that are new or changed, and so are to be read.
  private var new: [FoundFile] = []
  private var gone: [KnownFile] = []
  /// The known files that the walk has not found as they were.
  private let unsettled: Set<MediaItem.ID>
  /// The files of `Comparison.stayed`: their content is as before, though some are elsewhere now or were missing.
  private let stayed: [StayedFile]

  /// `known` are the files that the walk has not found as they were. `sight` says of a file whether the walk would have found it if it were there.
  init(_ walk: FolderWalk, _ known: [KnownFile], _ stayed: [StayedFile], sight: (KnownFile) -> Bool) {
    (self.stayed, unsettled) = (stayed, Set(known.lazy.map(\.id)))
    var known = Dictionary(
      known.lazy.filter(\.path.isSheet).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    for file in walk.files where file.path.isSheet {
      let before = known.removeValue(forKey: file.path)
      if let before, file.stamp.isSameContent(as: before.stamp),
        before.stamp != file.stamp || !file.stamp.hasOtherStatus(than: before.stamp)
      {
        if before.stamp != file.stamp || file.stamp.tellsStatus(unlike: before.stamp) {
          touches.append(.touch(before.id, file.stamp))
        }
        continue
      }
      new.append(file)
      touches.append(.sheet(file.path, file.stamp.ofNoFile))
    }
    gone = known.values.filter(sight).sorted { $0.id.rawValue < $1.id.rawValue }
    touches += gone.map { .touch($0.id, $0.stamp.ofNoFile) }
  }

  /// The folders whose sheets are to be read, once each: where a sheet is new, changed or gone, where files came to a sheet, and where files left.
  func folders(_ walk: FolderWalk, came: [FilePath], left: [FilePath]) -> [FilePath] {
    var folders = Set((new.map(\.path) + gone.map(\.path) + left).compactMap(\.parent))
    if !walk.sheetFolders.isEmpty {
      folders.formUnion(came.lazy.compactMap(\.parent).filter(walk.sheetFolders.contains))
    }
    return folders.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// The files in these folders whose content is as before. `known` are the files that the library has there.
  func present(in folders: Set<FilePath>, _ known: [KnownFile]) -> [StayedFile] {
    let near = stayed.filter { folders.hasFolder(of: $0.found.path) }
    let settled = known.filter { !$0.isHidden && !$0.path.isSheet && isSettled($0) }
    return near
      + settled.map { StayedFile($0, FoundFile(path: $0.path, stamp: $0.stamp), isShifted: false) }
  }

  /// Whether the walk has found a known file as it was.
  func isSettled(_ file: KnownFile) -> Bool { !unsettled.contains(file.id) }

  /// The changes at the end of a scan: sheets that were read get their stamps, and those that are gone are forgotten.
  func endingChanges(_ findings: SheetFindings) -> [FileChange] {
    let read = new.filter { !findings.unlisted.hasFolder(of: $0.path) }
    return gone.map { .forget($0.id) }
      + read.map { .sheet($0.path, findings.unread.contains($0.path) ? $0.stamp.ofNoFile : $0.stamp) }
  }
}

extension Set<FilePath> {
  /// Whether the folder of a file is among these.
  func hasFolder(of file: FilePath) -> Bool { !isEmpty && (file.parent.map { contains($0) } ?? false) }
}
