// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import Glibc
import JobLogic
import LibraryModel
import MediaModel
import Synchronization

/// Walks through folders and finds the sound files and CUE sheets in them, without opening any. Blocks on the disk: it is for a thread that may.
///
/// Files that are unchanged since the library stored them are only counted. So a walk through an unchanged library takes next to no memory.
///
/// Hidden names are left out, as in every file manager. Links to folders are followed after everything else, and each folder is entered once. So a
/// circle of links ends, and a folder is known by its own path rather than by that of a link. Pipes, sockets and devices are not touched. A folder
/// that can't be listed is noted, and the walk goes on with the others.
struct LibraryWalk {
  /// What a walk through the folders found: the sound files that are new or changed, how many are unchanged, and what could not be listed.
  struct Findings: Sendable {
    var walk: FolderWalk
    /// The files that the library knows; those that the walk found unchanged are marked as settled.
    var index: KnownIndex
    /// How many files were found whose folders wait for the index.
    fileprivate(set) var waitingCount = 0
    /// The first folders that could not be listed, with the reasons.
    var problems: [Problem] = []
    /// The file systems that tell of no changes: the name of each, by the first of its folders that the walk entered.
    var silent: [FilePath: String] = [:]
    /// The devices of folders that the walk entered.
    fileprivate(set) var folderDevices: Set<UInt64> = []
    /// The folders of the library that are others of them by another path, with that path.
    var doubles: [FilePath: FilePath] = [:]
    /// Where the folders of the library really are, which may be reached by links.
    var reals: [FilePath: FilePath] = [:]

    /// How many sound files there are.
    var count: Int { walk.settledCount + walk.files.count + waitingCount }

    /// Notes the file system of a folder that the walk enters. A file that a link leads to may have been found on its device before.
    mutating func enters(_ folder: FilePath, device: UInt64, type: UInt64) {
      walk.devices.insert(device)
      guard folderDevices.insert(device).inserted else { return }
      silent[folder] = SilentFileSystem.name(type: type, device: device)
    }
  }

  struct Problem: Sendable, Hashable {
    var folder: FilePath
    /// The reason, worded as the end of a sentence about the folder.
    var reason: String
  }

  /// The files of one folder that are of a kind that plays, and its CUE sheets.
  private struct Listing {
    let folder: FilePath
    /// The folder's path with a slash behind it.
    let start: [UInt8]
    var files: [(name: FilePath, stamp: FileStamp)] = []
    var hasSheet = false
    /// Whether the file system tells reliably when a file's status was changed. One on a network, or of a program, may make that time up.
    var tellsStatus = true
    /// How many names there are of which the disk could not say what they are.
    var failures = 0
  }

  private var found: Findings
  private let coming: ComingIndex
  /// Whether the index has come; `found` has it from then on.
  private var hasIndex = false
  /// Whether there will be no index, because it could not be read.
  private var isWithoutIndex = false
  /// The folders that were listed before the index had come.
  private var waiting: [Listing] = []
  private let mostWaiting: Int
  private let looks: (FilePath) -> Bool
  /// Folders, and links to folders, whose disks do not answer.
  private let dead: Set<FilePath>
  private let sees: (FilePath) -> Void
  /// The folders that `sees` was called with.
  private var seen: Set<FilePath> = []
  private let goesOn: (FilePath, Int) -> Bool
  private var entered: Set<Place> = []
  /// The links to folders that are not followed yet.
  private var links: [FilePath] = []
  /// The library's folders that this walk leaves out. What a link finds there is in the library by its own path.
  private let others: [FilePath]
  /// Where the others are, once that was asked: it may be on a disk that does not answer.
  private var otherPlaces: [FilePath]?

  /// Identifies a folder whatever its path is.
  private struct Place: Hashable {
    let device, inode: UInt64
  }

  /// Folders deeper than this are not entered. No real music lies so deep, and each level takes a descriptor.
  private static let deepest = 64
  /// At most this many files are taken, so that a tree without an end does not fill the memory.
  private static let mostFiles = 5_000_000
  /// For at most this many folders that can't be listed the reason is kept.
  private static let mostProblems = 100

  /// Walks through these folders and all below them, but not into `others` by a link. Files that the index shows to be unchanged are only counted. The
  /// walk begins before the index has come; when `mostWaiting` files wait for it, the walk waits too, so that they do not fill the memory.
  ///
  /// `dead` are folders and links that are not touched, because their disks do not answer. `looks` is called with each other folder, and each link to one, before
  /// anything is asked of it, and `goesOn` with each folder that is entered and the number of files found so far. If one of them returns false, the
  /// walk ends and nil is returned. Nil too if there will be no index. `sees` is called with each folder in which a file lies that a link leads to.
  static func run(
    _ roots: [FilePath], beside others: [FilePath] = [], without dead: [FilePath] = [],
    knowing index: ComingIndex, mostWaiting: Int = 20_000,
    looks: @escaping (FilePath) -> Bool = { _ in true }, sees: @escaping (FilePath) -> Void = { _ in },
    goesOn: @escaping (FilePath, Int) -> Bool
  ) -> Findings? {
    var walk = LibraryWalk(
      roots, others, dead, index, mostWaiting, looks: looks, sees: sees, goesOn: goesOn)
    return walk.run() ? walk.found : nil
  }

  private init(
    _ roots: [FilePath], _ others: [FilePath], _ dead: [FilePath], _ coming: ComingIndex, _ mostWaiting: Int,
    looks: @escaping (FilePath) -> Bool, sees: @escaping (FilePath) -> Void,
    goesOn: @escaping (FilePath, Int) -> Bool
  ) {
    found = Findings(walk: FolderWalk(roots), index: KnownIndex())
    (self.others, self.dead, self.coming) = (others, Set(dead), coming)
    (self.mostWaiting, self.looks, self.sees, self.goesOn) = (mostWaiting, looks, sees, goesOn)
  }

  private mutating func run() -> Bool {
    for root in found.walk.roots { guard enter(root) else { return false } }
    while let link = links.popLast() {
      if isLeftOut(link) { continue }
      guard looks(link) else { return false }
      if leadsToOthers(link) { continue }
      guard enter(link) else { return false }
    }
    if !hasIndex { take(coming.wait()) }
    return !isWithoutIndex
  }

  private mutating func leadsToOthers(_ link: FilePath) -> Bool {
    guard !others.isEmpty, let real = link.real else { return false }
    let places = otherPlaces ?? others.filter(looks).map { $0.real ?? $0 }
    otherPlaces = places
    return places.contains(where: real.isAtOrBelow)
  }

  private mutating func enter(_ path: FilePath) -> Bool {
    guard looks(path) else { return false }
    do throws(SystemError) {
      let held = try HeldFile(path)
      guard held.kind == .folder else {
        miss(path, "it is \(held.kind.name)")
        return true
      }
      if found.walk.roots.contains(path) { found.reals[path] = path.real }
      return enter(try held.openFolder(), path, depth: 0, from: nil)
    } catch {
      miss(path, error)
      return true
    }
  }

  /// Notes everything in an open folder and in the folders below it. `above` is the device of the folder above, if the walk has come from there. Returns
  /// false if the walk was cancelled.
  private mutating func enter(
    _ opened: consuming Directory, _ path: FilePath, depth: Int, from above: UInt64?
  ) -> Bool {
    var directory = opened
    let place: FileStatus
    do throws(SystemError) { place = try directory.status() } catch {
      miss(path, error)
      return true
    }
    guard entered.insert(Place(device: place.device, inode: place.inode)).inserted else {
      if found.walk.roots.contains(path) {
        let real = path.real ?? path
        found.doubles[path] = real == path ? found.walk.roots.first(where: path.isBelow) ?? path : real
      }
      return true
    }
    found.enters(path, device: place.device, type: directory.fileSystem)
    if place.device != above { found.walk.mounts[path] = place.device }
    guard !isWithoutIndex, goesOn(path, found.count) else { return false }
    let isSilent = SilentFileSystem.name(type: directory.fileSystem, device: place.device) != nil
    for name in list(&directory, path, tellsStatus: !isSilent) {
      guard let inner = path.appending(name) else { continue }
      guard depth < Self.deepest else {
        miss(inner, "it lies more than \(Self.deepest) folders deep")
        continue
      }
      if isLeftOut(inner) { continue }
      guard looks(inner) else { return false }
      do throws(SystemError) {
        guard enter(try Directory(name, in: directory), inner, depth: depth + 1, from: place.device) else {
          return false
        }
      } catch {
        // If `inner` is no folder any more, another file replaced it since the listing; then this is no problem.
        if error.code != ENOTDIR { miss(inner, error) }
      }
    }
    return true
  }

  /// Whether a folder or a link is not to be touched, because its disk does not answer.
  private mutating func isLeftOut(_ path: FilePath) -> Bool {
    guard dead.contains(path) else { return false }
    miss(path, "its disk does not answer")
    return true
  }

  /// Notes the sound files of a folder, and returns the names of the folders in it.
  private mutating func list(
    _ directory: inout Directory, _ path: FilePath, tellsStatus: Bool
  ) -> [FilePath] {
    var folders: [FilePath] = []
    var listing = Listing(
      folder: path,
      start: path.bytes.last == UInt8(ascii: "/") ? path.bytes : path.bytes + [UInt8(ascii: "/")])
    listing.tellsStatus = tellsStatus
    defer { judgeSoon(listing) }
    var count = 0
    while true {
      do throws(SystemError) {
        guard let (name, hint) = try directory.next() else { return folders }
        count += 1
        // A network may be slow with a large folder, and is not dead for that.
        if count.isMultiple(of: 256), !looks(path) { return [] }
        guard name.bytes[0] != UInt8(ascii: ".") else { continue }
        if hint != .folder, name.isSheet { listing.hasSheet = true }
        switch hint {
        case .folder: folders.append(name)
        case .file where name.isOfLibrary: note(name, isWanted: true, in: directory, &listing)
        case .link, .unknown:
          if note(name, isWanted: name.isOfLibrary, in: directory, &listing), let link = path.appending(name)
          {
            links.append(link)
          } else if hint == .link, name.isOfLibrary, let link = path.appending(name) {
            seeTarget(of: link)
          }
        case .file, .other: break
        }
      } catch {
        miss(path, error)
        return folders
      }
    }
  }

  /// Tells of the folder of the file that a link leads to. The walk may never enter it, but what changes there changes the library.
  private mutating func seeTarget(of link: FilePath) {
    guard let folder = link.real?.parent, seen.insert(folder).inserted else { return }
    sees(folder)
  }

  /// Adds a file to the listing of its folder if it is wanted, by its name. Returns whether it is a folder.
  @discardableResult
  private mutating func note(
    _ name: FilePath, isWanted: Bool, in directory: borrowing Directory, _ listing: inout Listing
  ) -> Bool {
    let status: FileStatus
    do throws(SystemError) { status = try directory.status(of: name) } catch {
      miss(name, error, in: &listing)
      return false
    }
    if status.kind == .folder { return true }
    guard status.kind == .file, isWanted, listing.start.count + name.bytes.count < PATH_MAX else {
      return false
    }
    guard found.count + listing.files.count < Self.mostFiles else {
      miss(listing.folder, "there are more than \(Self.mostFiles) files")
      return false
    }
    found.walk.devices.insert(status.device)
    listing.files.append((name, FileStamp(status, tellsStatus: listing.tellsStatus)))
    return false
  }

  /// Of so many files of a folder it is noted that the disk could not say what they are. If there are more, the whole folder counts as not seen.
  private static let mostFailures = 16

  /// Notes that the disk could not say what has this name, so that what the library knows of it stays.
  private mutating func miss(_ name: FilePath, _ error: SystemError, in listing: inout Listing) {
    // A link that leads nowhere, or a file that is gone by now.
    if error.isMissing || error.code == ELOOP { return }
    listing.failures += 1
    guard listing.failures <= Self.mostFailures, let path = listing.folder.appending(name) else {
      return miss(listing.folder, error)
    }
    // The watch is not told when a folder behind a link can be entered again, so the reason is not the one for which only the watch is waited for.
    miss(path, "what it is could not be found out: \(String(errno: error.code))")
  }

  // MARK: What the library knows

  /// Compares the files of a folder with the index, or later if it has not come.
  private mutating func judgeSoon(_ listing: Listing) {
    if hasIndex { return judge(listing) }
    guard !listing.files.isEmpty else { return }
    waiting.append(listing)
    found.waitingCount += listing.files.count
    if found.waitingCount >= mostWaiting {
      take(coming.wait())
    } else if let index = coming.arrived {
      take(index)
    }
  }

  /// Takes the index, and compares the files with it that waited.
  private mutating func take(_ index: KnownIndex?) {
    hasIndex = true
    found.waitingCount = 0
    if let index { found.index = index } else { isWithoutIndex = true }
    for listing in waiting { judge(listing) }
    waiting = []
  }

  private mutating func judge(_ listing: Listing) {
    var settled = 0
    let filesBefore = found.walk.files.count
    for (name, stamp) in listing.files {
      if found.index.settle(PathDigest(listing.start, name), stamp) {
        settled += 1
        found.walk.settledDevices.insert(stamp.device)
        if !name.isSheet { found.walk.settledCount += 1 }
      } else if let path = FilePath(listing.start + name.bytes) {
        found.walk.files.append(FoundFile(path: path, stamp: stamp))
      }
    }
    if settled > 0 { noteSettled(in: listing.folder) }
    if listing.hasSheet, found.walk.files.count > filesBefore {
      found.walk.sheetFolders.insert(listing.folder)
    }
  }

  private mutating func noteSettled(in folder: FilePath) {
    for root in found.walk.roots where folder.isAtOrBelow(root) {
      found.walk.settledRoots.insert(root)
    }
  }

  private mutating func miss(_ folder: FilePath, _ error: SystemError) {
    miss(folder, error.isMissing ? "it is not there" : String(errno: error.code))
  }

  private mutating func miss(_ folder: FilePath, _ reason: String) {
    // Too many files are told once, however many there are.
    guard found.problems.last?.folder != folder else { return }
    if found.walk.unseen.last != folder { found.walk.unseen.append(folder) }
    if found.problems.count < Self.mostProblems || found.walk.roots.contains(folder) {
      found.problems.append(Problem(folder: folder, reason: reason))
    }
  }
}

extension FilePath {
  /// Whether the name is that of a sound file that can be played, or of a CUE sheet.
  fileprivate var isOfLibrary: Bool { looksPlayable || isSheet }

  /// The path of what has this plain name in this folder. Much quicker than to resolve a path, of which this is a simple case.
  fileprivate func appending(_ name: FilePath) -> FilePath? {
    FilePath(bytes.last == UInt8(ascii: "/") ? bytes + name.bytes : bytes + [UInt8(ascii: "/")] + name.bytes)
  }
}

extension FileStamp {
  init(_ status: FileStatus, tellsStatus: Bool) {
    self.init(
      size: status.size, modified: status.modified, inode: status.inode, device: status.device,
      changed: tellsStatus ? status.changed : 0)
  }
}

/// What the library knows, which another thread reads from its database while a walk begins. Safe on any thread.
final class ComingIndex: Sendable {
  private enum State { case awaited, arrived(KnownIndex), gone }

  private let state = Mutex(State.awaited)
  private let arrival = Wakeup()

  init() {}

  /// Gives the walk the index; nil if it could not be read.
  func arrive(_ index: KnownIndex?) {
    state.withLock { $0 = index.map { .arrived($0) } ?? .gone }
    arrival.wake()
  }

  /// The index if it has come, given away once, so that the walk alone has it and can mark files in it.
  fileprivate var arrived: KnownIndex? {
    state.withLock { state in
      guard case .arrived(let index) = state else { return nil }
      state = .gone
      return index
    }
  }

  /// Blocks until the index comes. Nil if it could not be read.
  fileprivate func wait() -> KnownIndex? {
    arrival.sleep()
    return arrived
  }
}

/// How far a walk has come, written by its thread and read by the loop. Safe on any thread.
final class WalkProgress: Sendable {
  private let state = Mutex((count: 0, folder: FilePath?.none))

  func note(_ count: Int, _ folder: FilePath) { state.withLock { $0 = (count, folder) } }

  var step: JobStep { state.withLock { JobStep(done: $0.count, current: $0.folder?.text) } }
}
