// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryModel
import MediaModel
import Testing

/// A tree of sound files that is edited at random, on two disks. Each file's sound is a number that no other file has, unless it is a copy.
private struct RandomTree {
  struct File: Equatable {
    var inode: UInt64
    var size: Int64
    var modified: Int64
    var sound: UInt64
    var canBeRead = true
  }

  private(set) var files: [FilePath: File] = [:]
  private(set) var isMounted = true
  private(set) var isLocked = false
  private var diskNumber: UInt64 = 2
  /// Whether a file on the disk keeps its number there when the disk is mounted again.
  private var keepsInodes = false
  private var last: UInt64 = 100
  /// Whether nothing was edited since the last whole scan. Only then things get out of sight: nobody can know a file that left a place
  /// which cannot be seen.
  private var isClean = false
  /// The files that nobody has touched since the last whole scan.
  private var untouched: Set<FilePath> = []
  /// The files that exchanged their names; they are left alone until the next whole scan.
  private var exchanged: Set<FilePath> = []
  /// The sounds of which there were copies, or that took the place of others: nobody can say which item is whose.
  private(set) var ambiguous: Set<UInt64> = []

  private static let disk: FilePath = "/m/disk"
  private static let locked: FilePath = "/m/locked"
  private static let folders: [FilePath] = ["/m", "/m/a", "/m/a/b", locked, disk, "/m/disk/x"]

  private mutating func next() -> UInt64 {
    last += 1
    return last
  }

  private func device(_ path: FilePath) -> UInt64 { path.isBelow(Self.disk) ? diskNumber : 1 }
  private var paths: [FilePath] { Array(files.keys) }
  private func isThere(_ path: FilePath) -> Bool { isMounted || !path.isBelow(Self.disk) }
  private func isSeen(_ path: FilePath) -> Bool { isThere(path) && !(isLocked && path.isBelow(Self.locked)) }

  func stamp(_ path: FilePath) -> FileStamp? {
    files[path].map { FileStamp(size: $0.size, modified: $0.modified, inode: $0.inode, device: device(path)) }
  }

  /// What a walk sees now.
  var walk: FolderWalk {
    let seen = files.keys.filter(isSeen).sorted { $0.text < $1.text }
    return FolderWalk(
      ["/m"], files: seen.compactMap { path in stamp(path).map { FoundFile(path: path, stamp: $0) } },
      unseen: isLocked ? [Self.locked] : [], devices: isMounted ? [1, diskNumber] : [1])
  }

  /// The paths at which an item has to be visible after a whole scan: what is seen, and what was known and can't be seen now.
  var seenPaths: Set<FilePath> { Set(files.keys.filter(isSeen)) }
  func couldBeSeen(_ path: FilePath) -> Bool { isSeen(path) }

  func read(_ path: FilePath) -> Result<FileRecord, ReadingFailure> {
    guard let file = files[path], isSeen(path) else { return .failure(.vanished) }
    guard file.canBeRead else { return .failure(.unreadable("denied")) }
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: file.sound >> (8 * $0)) }
    bytes += [UInt8](repeating: 0, count: 8)
    var tags = MediaTags()
    tags.title = "\(file.sound)"
    return .success(FileRecord(tags: tags, fingerprint: AudioFingerprint(rawValue: bytes)))
  }

  mutating func wholeScanDone() {
    isClean = true
    untouched = Set(files.keys)
    exchanged = []
  }

  // MARK: Edits

  private func pick(_ random: inout SeededGenerator) -> FilePath? {
    // The first file of a disk is never edited, so the disk is always recognized.
    paths.filter { isSeen($0) && !exchanged.contains($0) && $0.name != "keep" }
      .sorted { $0.text < $1.text }.randomElement(using: &random)
  }

  private mutating func newPath(_ random: inout SeededGenerator) -> FilePath {
    let folder = Self.folders.filter { isSeen(FilePath("\($0)/x") ?? $0) }.randomElement(
      using: &random)
    let name = FilePath("\(next()).ogg") ?? "x"
    return name.resolved(against: folder ?? "/m")
  }

  mutating func begin(keepsInodes: Bool) {
    self.keepsInodes = keepsInodes
    for path in ["/m/keep", "/m/locked/keep", "/m/disk/keep"] as [FilePath] {
      files[path] = File(inode: next(), size: 10, modified: Int64(next()), sound: next())
    }
  }

  mutating func edit(_ random: inout SeededGenerator) {
    defer { isClean = false }
    switch Int.random(in: 0..<22, using: &random) {
    case 0...5:
      files[newPath(&random)] = File(inode: next(), size: 10, modified: Int64(next()), sound: next())
    case 6...7:
      guard let path = pick(&random) else { return }
      files[path] = nil
    case 8...11:
      guard let path = pick(&random), let file = files.removeValue(forKey: path) else { return }
      let new = newPath(&random)
      files[new] = file
      // On another disk it is another file with the same bytes.
      let inode = next()
      if device(new) != device(path) { files[new]?.inode = inode }
    case 12...14:
      guard let path = pick(&random) else { return }
      let time = Int64(next())
      files[path]?.modified = time
      files[path]?.size += 1
      untouched.remove(path)
    case 15:
      guard let path = pick(&random), var copy = files[path] else { return }
      ambiguous.insert(copy.sound)
      (copy.inode, copy.modified) = (next(), Int64(next()))
      files[newPath(&random)] = copy
    case 16: exchange(&random)
    case 20...21: closeGap(&random)
    case 17:
      guard let path = pick(&random), let file = files[path] else { return }
      ambiguous.insert(file.sound)
      files[path]?.canBeRead.toggle()
    case 18: if isLocked || isClean { isLocked.toggle() }
    default:
      guard !isMounted || isClean else { return }
      isMounted.toggle()
      if isMounted { remount() }
    }
  }

  /// The disk comes back, with other numbers.
  private mutating func remount() {
    diskNumber = next()
    for path in paths where path.isBelow(Self.disk) && !keepsInodes {
      let inode = next()
      files[path]?.inode = inode
    }
  }

  /// Files of one disk whose names may go to others, because the library knows them and nobody has touched them.
  private func renamable(_ random: inout SeededGenerator) -> [FilePath] {
    let number = keepsInodes && random.chance(40) ? diskNumber : 1
    return untouched.filter {
      files[$0].map { !ambiguous.contains($0.sound) } ?? false && isSeen($0) && !exchanged.contains($0)
        && $0.name != "keep"
    }
    .filter { device($0) == number }.sorted { $0.text < $1.text }.shuffled(using: &random)
  }

  /// Removes a file and has the names of two others move up.
  private mutating func closeGap(_ random: inout SeededGenerator) {
    let pool = renamable(&random)
    guard pool.count >= 3 else { return }
    (files[pool[0]], files[pool[1]], files[pool[2]]) = (files[pool[1]], files[pool[2]], nil)
    exchanged.formUnion(pool[..<3])
  }

  private mutating func exchange(_ random: inout SeededGenerator) {
    let pool = renamable(&random)
    guard pool.count >= 2, let first = files[pool[0]], let second = files[pool[1]] else { return }
    (files[pool[0]], files[pool[1]]) = (second, first)
    exchanged.formUnion(pool[..<2])
  }
}

/// A library that does what the changes say, and nothing else.
private struct NaiveLibrary {
  private(set) var rows: [MediaItem.ID: KnownFile] = [:]
  private(set) var complaints: [String] = []
  private var last: Int64 = 0

  var known: [KnownFile] { rows.values.sorted { $0.id.rawValue < $1.id.rawValue } }
  func row(_ path: FilePath) -> KnownFile? { rows.values.first { $0.path == path } }

  mutating func apply(_ change: FileChange) {
    switch change {
    case .add(let path, let stamp, let record): add(path, stamp, record.fingerprint, nil)
    case .update(let id, let stamp, let record):
      edit(id) { row in
        (row.stamp, row.fingerprint, row.isHidden, row.failure) = (stamp, record.fingerprint, false, nil)
      }
    case .move(let id, let path, let stamp):
      if let row = row(path), row.id != id { complaints.append("\(path) is taken") }
      edit(id) { ($0.path, $0.stamp, $0.isHidden) = (path, stamp, false) }
    case .touch(let id, let stamp): edit(id) { $0.stamp = stamp }
    case .hide(let id): edit(id) { $0.isHidden = true }
    case .displace(let id, let path): edit(id) { ($0.path, $0.isHidden) = (path, true) }
    case .show(let id, let stamp): edit(id) { ($0.stamp, $0.isHidden) = (stamp, false) }
    case .failed(let path, let stamp, let reason):
      guard let row = row(path) else { return add(path, stamp, nil, reason) }
      edit(row.id) { ($0.stamp, $0.failure, $0.isHidden) = (stamp, reason, false) }
    case .sheet, .forget: complaints.append("there is no sheet")
    }
  }

  private mutating func add(
    _ path: FilePath, _ stamp: FileStamp, _ mark: AudioFingerprint?, _ failure: String?
  ) {
    if row(path) != nil { complaints.append("\(path) is doubled") }
    last += 1
    let id = MediaItem.ID(rawValue: last)
    rows[id] = KnownFile(id: id, path: path, stamp: stamp, fingerprint: mark, failure: failure)
  }

  private mutating func edit(_ id: MediaItem.ID, _ body: (inout KnownFile) -> Void) {
    guard var row = rows[id] else { return complaints.append("there is no \(id.rawValue)") }
    body(&row)
    rows[id] = row
  }
}

@Suite("Scans of random trees")
struct ScanPropertyTests {
  /// A walk that leaves out what is as it was comes to the same plan.
  private func compare(_ whole: ScanPlan, _ tree: RandomTree, _ library: NaiveLibrary) {
    var index = KnownIndex()
    for file in library.known {
      index.add(file.id, PathDigest(file.path), file.stamp, isHidden: file.isHidden)
    }
    #expect(index.count == library.known.count)
    var walk = tree.walk
    walk.files.removeAll { index.settle(PathDigest($0.path), $0.stamp) }
    walk.settledCount = tree.walk.files.count - walk.files.count
    if walk.settledCount > 0 { walk.settledRoots = Set(walk.roots) }
    let unsettled = Set(index.unsettled)
    let plan = ScanPlan(walk, known: library.known.filter { unsettled.contains($0.id) }, index: index)
    #expect(plan.changes == whole.changes && plan.toOpen == whole.toOpen)
    #expect(plan.keptCount == whole.keptCount && plan.endingChanges == whole.endingChanges)
  }

  /// Scans, and stops after so many steps if that is not nil. Returns whether it came to its end.
  private func scan(_ tree: RandomTree, _ library: inout NaiveLibrary, stopAfter: Int?) -> Bool {
    var left = stopAfter ?? .max
    var plan = ScanPlan(tree.walk, known: library.known)
    compare(plan, tree, library)
    // The changes of one list belong to one transaction.
    guard left > 0 else { return false }
    for change in plan.changes { library.apply(change) }
    for file in plan.toOpen {
      left -= 1
      guard left > 0 else { return false }
      for change in plan.read(file, tree.read(file.path)) { library.apply(change) }
    }
    for change in plan.endingChanges {
      left -= 1
      guard left > 0 else { return false }
      library.apply(change)
    }
    return true
  }

  @Test(
    "nothing is doubled, no item is lost, and each sound keeps its item, wherever scans are stopped",
    arguments: 0..<80 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (tree, library) = (RandomTree(), NaiveLibrary())
    tree.begin(keepsInodes: seed % 2 == 0)
    var items: [UInt64: MediaItem.ID] = [:]
    for round in 0..<40 {
      for _ in 0..<Int.random(in: 0...6, using: &random) { tree.edit(&random) }
      let before = Set(library.rows.keys)
      let visibleBefore = Set(library.known.filter { !$0.isHidden }.map(\.path))
      let stop = random.chance(40) ? Int.random(in: 0...8, using: &random) : nil
      let isWhole = scan(tree, &library, stopAfter: stop)
      let note: Comment = "seed \(seed), round \(round)"
      try #require(library.complaints == [], note)
      #expect(before.isSubset(of: library.rows.keys), note)
      #expect(Set(library.rows.values.map(\.path)).count == library.rows.count, note)
      guard isWhole else { continue }
      let visible = Set(library.known.filter { !$0.isHidden }.map(\.path))
      let kept = visibleBefore.filter { !tree.couldBeSeen($0) }
      let missing = tree.seenPaths.union(kept).subtracting(visible)
      let surplus = visible.subtracting(tree.seenPaths.union(kept))
      #expect(missing.isEmpty && surplus.isEmpty, note)
      for path in tree.seenPaths {
        guard let file = tree.files[path], let row = library.row(path), row.failure == nil else { continue }
        guard !tree.ambiguous.contains(file.sound) else { continue }
        if let item = items[file.sound] { #expect(row.id == item, "\(path): \(note)") }
        items[file.sound] = row.id
      }
      // A second scan right after it finds nothing to do, but for files whose disk fails.
      let plan = ScanPlan(tree.walk, known: library.known)
      #expect(plan.changes == [] && plan.endingChanges == [], note)
      #expect(plan.toOpen.allSatisfy { tree.files[$0.path]?.canBeRead == false }, note)
      tree.wholeScanDone()
    }
  }
}
