// SPDX-License-Identifier: MIT
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
  /// The result of a walk.
  struct Findings: Sendable {
    var walk: FolderWalk
    /// The files that the library knows; those that the walk found unchanged are marked as settled.
    var index: KnownIndex
    /// The first folders that could not be listed, with the reasons.
    var problems: [Problem] = []
    /// The file systems that tell of no changes: the name of each, by the first of its folders that the walk entered.
    var silent: [FilePath: String] = [:]

    /// How many sound files there are.
    var count: Int { walk.settledCount + walk.files.count }
  }

  struct Problem: Sendable, Hashable {
    var folder: FilePath
    /// The reason, worded as the end of a sentence about the folder.
    var reason: String
  }

  private var found: Findings
  private let goesOn: (FilePath, Int) -> Bool
  private var entered: Set<Place> = []
  /// The links to folders that are not followed yet.
  private var links: [FilePath] = []

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

  /// Walks through these folders and all below them. Files that `index` shows to be unchanged are only counted. `goesOn` is called with each folder
  /// that is entered and the number of files found so far; if it returns false, the walk ends and nil is returned.
  static func run(
    _ roots: [FilePath], knowing index: KnownIndex = KnownIndex(), goesOn: @escaping (FilePath, Int) -> Bool
  ) -> Findings? {
    var walk = LibraryWalk(Findings(walk: FolderWalk(roots), index: index), goesOn: goesOn)
    return walk.run() ? walk.found : nil
  }

  private init(_ found: Findings, goesOn: @escaping (FilePath, Int) -> Bool) {
    self.found = found
    self.goesOn = goesOn
  }

  private mutating func run() -> Bool {
    for root in found.walk.roots { guard enter(root) else { return false } }
    while let link = links.popLast() { guard enter(link) else { return false } }
    return true
  }

  private mutating func enter(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      let held = try HeldFile(path)
      guard held.kind == .folder else {
        miss(path, "it is \(held.kind.name)")
        return true
      }
      return enter(try held.openFolder(), path, depth: 0)
    } catch {
      miss(path, error)
      return true
    }
  }

  /// Notes everything in an open folder and in the folders below it. Returns false if the walk was cancelled.
  private mutating func enter(_ opened: consuming Directory, _ path: FilePath, depth: Int) -> Bool {
    var directory = opened
    let place: FileStatus
    do throws(SystemError) { place = try directory.status() } catch {
      miss(path, error)
      return true
    }
    guard entered.insert(Place(device: place.device, inode: place.inode)).inserted else { return true }
    if found.walk.devices.insert(place.device).inserted,
      let name = SilentFileSystem.name(type: directory.fileSystem, device: place.device)
    {
      found.silent[path] = name
    }
    guard goesOn(path, found.count) else { return false }
    for name in list(&directory, path) {
      guard let inner = path.appending(name) else { continue }
      guard depth < Self.deepest else {
        miss(inner, "it lies more than \(Self.deepest) folders deep")
        continue
      }
      do throws(SystemError) {
        guard enter(try Directory(name, in: directory), inner, depth: depth + 1) else { return false }
      } catch {
        // If `inner` is no folder any more, another file replaced it since the listing; then this is no problem.
        if error.code != ENOTDIR { miss(inner, error) }
      }
    }
    return true
  }

  /// Notes the sound files of a folder, and returns the names of the folders in it.
  private mutating func list(_ directory: inout Directory, _ path: FilePath) -> [FilePath] {
    var folders: [FilePath] = []
    let (settledBefore, filesBefore) = (found.walk.settledCount, found.walk.files.count)
    var hasSheet = false
    defer {
      if found.walk.settledCount > settledBefore { noteSettled(in: path) }
      if hasSheet, found.walk.files.count > filesBefore { found.walk.sheetFolders.insert(path) }
    }
    let start = path.bytes.last == UInt8(ascii: "/") ? path.bytes : path.bytes + [UInt8(ascii: "/")]
    while true {
      do throws(SystemError) {
        guard let (name, hint) = try directory.next() else { return folders }
        guard name.bytes[0] != UInt8(ascii: ".") else { continue }
        if hint != .folder, name.isSheet { hasSheet = true }
        switch hint {
        case .folder: folders.append(name)
        case .file: if name.isOfLibrary { note(name, in: directory, path, start) }
        case .unknown:
          if note(name, in: directory, path, start), let link = path.appending(name) { links.append(link) }
        case .other: break
        }
      } catch {
        miss(path, error)
        return folders
      }
    }
  }

  /// Notes a file if it is of a kind that plays, or a CUE sheet. `start` is the folder's path with a slash behind it. Returns whether `name` is a
  /// folder.
  @discardableResult
  private mutating func note(
    _ name: FilePath, in directory: borrowing Directory, _ folder: FilePath, _ start: [UInt8]
  ) -> Bool {
    // A link that leads nowhere, or a file that is gone by now, is ignored.
    guard let status = try? directory.status(of: name) else { return false }
    if status.kind == .folder { return true }
    guard status.kind == .file, name.isOfLibrary, start.count + name.bytes.count < PATH_MAX else {
      return false
    }
    guard found.count < Self.mostFiles else {
      miss(folder, "there are more than \(Self.mostFiles) files")
      return false
    }
    found.walk.devices.insert(status.device)
    let stamp = FileStamp(status)
    if found.index.settle(PathDigest(start, name), stamp) {
      if !name.isSheet { found.walk.settledCount += 1 }
    } else if let path = FilePath(start + name.bytes) {
      found.walk.files.append(FoundFile(path: path, stamp: stamp))
    }
    return false
  }

  private mutating func noteSettled(in folder: FilePath) {
    for root in found.walk.roots where folder == root || folder.isBelow(root) {
      found.walk.settledRoots.insert(root)
    }
  }

  private mutating func miss(_ folder: FilePath, _ error: SystemError) {
    miss(folder, error.isMissing ? "it is not there" : String(errno: error.code))
  }

  private mutating func miss(_ folder: FilePath, _ reason: String) {
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
  init(_ status: FileStatus) {
    self.init(size: status.size, modified: status.modified, inode: status.inode, device: status.device)
  }
}

/// How far a walk has come, written by its thread and read by the loop. Any thread.
final class WalkProgress: Sendable {
  private let state = Mutex((count: 0, folder: String?.none))

  func note(_ count: Int, _ folder: FilePath) { state.withLock { $0 = (count, folder.text) } }

  var step: JobStep { state.withLock { JobStep(done: $0.count, current: $0.folder) } }
}
