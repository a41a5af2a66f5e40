// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryModel
import MediaModel
import PlaylistModel
import Testing

/// A tree of sound files and CUE sheets on one disk, edited at random.
private struct SheetTree {
  struct File: Equatable {
    var stamp: FileStamp
    /// What is heard; it goes with a file that is moved.
    var sound: UInt64 = 0
    /// The entries of a sheet, by the names of the files that they mean; nil for a sound file.
    var sheet: [String: [PlaylistEntry]]?
  }

  private(set) var files: [FilePath: File] = [:]
  /// The sheets that cannot be read for now.
  var locked: Set<FilePath> = []
  private var last: UInt64 = 100

  private static let folders: [FilePath] = ["/m", "/m/a", "/m/b"]
  private static let names = ["x.flac", "y.flac", "z.flac"]

  private mutating func next() -> UInt64 {
    last += 1
    return last
  }

  private mutating func newStamp() -> FileStamp {
    FileStamp(size: 10, modified: Int64(next()), inode: next(), device: 1)
  }

  func walk(knowing index: KnownIndex) -> (walk: FolderWalk, index: KnownIndex) {
    var (walk, index) = (FolderWalk(["/m"], devices: [1]), index)
    for (path, file) in files.sorted(by: { $0.key.text < $1.key.text }) {
      if index.settle(PathDigest(path), file.stamp) {
        if !path.isSheet { walk.settledCount += 1 }
        walk.settledRoots = ["/m"]
      } else {
        walk.files.append(FoundFile(path: path, stamp: file.stamp))
      }
    }
    let fresh = Set(walk.files.compactMap(\.path.parent))
    walk.sheetFolders = Set(files.keys.filter(\.isSheet).compactMap(\.parent)).intersection(fresh)
    return (walk, index)
  }

  /// What the sheets of a folder say, sheet by sheet.
  func findings(in folders: [FilePath]) -> SheetFindings {
    var findings = SheetFindings(
      unread: locked.filter { sheet in files[sheet] != nil && sheet.parent.map(folders.contains) ?? false })
    for (path, file) in files where file.sheet == nil {
      guard let folder = path.parent, folders.contains(folder) else { continue }
      let sheets = files.filter {
        $0.key.parent == folder && $0.value.sheet != nil && !locked.contains($0.key)
      }
      .sorted { $0.key.text < $1.key.text }.map { $0.value.sheet?[path.name] ?? [] }
      findings.files[path] = SheetFinding(sheets)
    }
    return findings
  }

  func read(_ path: FilePath) -> Result<FileRecord, ReadingFailure> {
    guard let file = files[path] else { return .failure(.vanished) }
    var tags = MediaTags()
    (tags.title, tags.duration) = ("\(file.sound)", .seconds(600))
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: $0 < 8 ? file.sound >> (8 * UInt64($0)) : 0) }
    return .success(FileRecord(tags: tags, fingerprint: AudioFingerprint(rawValue: bytes)))
  }

  mutating func begin() {
    files["/m/keep.flac"] = File(stamp: newStamp(), sound: next())
  }

  mutating func edit(_ random: inout SeededGenerator) {
    let folder = Self.folders.randomElement(using: &random) ?? "/m"
    let paths = files.keys.filter { $0.name != "keep.flac" }.sorted { $0.text < $1.text }
    let picked = paths.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2:
      let name = FilePath(Self.names.randomElement(using: &random) ?? "x.flac") ?? "x.flac"
      files[name.resolved(against: folder)] = File(stamp: newStamp(), sound: next())
    case 3...6:
      let name: FilePath = Bool.random(using: &random) ? "1.cue" : "2.cue"
      files[name.resolved(against: folder)] = File(stamp: newStamp(), sheet: newSheet(&random))
    case 7, 8: if let picked { files[picked] = nil }
    case 9, 10:
      guard let picked, let name = FilePath(picked.nameBytes),
        let file = files.removeValue(forKey: picked)
      else { return }
      files[name.resolved(against: folder)] = file
    default: move(everythingIn: folder, to: Self.folders.randomElement(using: &random) ?? "/m")
    }
  }

  private mutating func move(everythingIn old: FilePath, to new: FilePath) {
    for (path, file) in files where path.parent == old && path.name != "keep.flac" && old != new {
      guard let name = FilePath(path.nameBytes) else { continue }
      files[path] = nil
      files[name.resolved(against: new)] = file
    }
  }

  private mutating func newSheet(_ random: inout SeededGenerator) -> [String: [PlaylistEntry]] {
    var sheet: [String: [PlaylistEntry]] = [:]
    for name in Self.names where Bool.random(using: &random) {
      let starts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: 0...60_000, using: &random)
      }
      sheet[name] = starts.map { start in
        var entry = PlaylistEntry(
          location: .file("/"),
          part: start % 5 == 0 ? nil : FilePart(start: DiscTime(frames: start), end: nil))
        entry.title = "track \(next())"
        return entry
      }
    }
    return sheet
  }
}

/// A library that does what the changes say, and remembers what was said of each file.
private struct SheetLibrary {
  struct Row {
    var file: KnownFile
    var record = FileRecord(tags: MediaTags())
  }

  private(set) var rows: [MediaItem.ID: Row] = [:]
  private(set) var complaints: [String] = []
  private var last: Int64 = 0

  var known: [KnownFile] { rows.values.map(\.file).sorted { $0.id.rawValue < $1.id.rawValue } }
  func row(_ path: FilePath) -> Row? { rows.values.first { $0.file.path == path } }

  mutating func apply(_ change: FileChange) {
    switch change {
    case .add(let path, let stamp, let record): add(path, stamp, record)
    case .update(let id, let stamp, let record): update(id, stamp, record)
    case .move(let id, let path, let stamp):
      // Whatever had that path was replaced by this file.
      if let other = row(path)?.file.id, other != id { rows[other] = nil }
      edit(id) { ($0.file.path, $0.file.stamp, $0.file.isHidden) = (path, stamp, false) }
    case .touch(let id, let stamp): edit(id) { $0.file.stamp = stamp }
    case .hide(let id): edit(id) { $0.file.isHidden = true }
    case .displace(let id, let path): edit(id) { ($0.file.path, $0.file.isHidden) = (path, true) }
    case .show(let id, let stamp): edit(id) { ($0.file.stamp, $0.file.isHidden) = (stamp, false) }
    case .failed(let path, _, _): complaints.append("\(path) can be read")
    case .sheet(let path, let stamp):
      guard let known = row(path)?.file.id else { return add(path, stamp, FileRecord(tags: MediaTags())) }
      edit(known) { $0.file.stamp = stamp }
    case .forget(let id):
      if rows.removeValue(forKey: id) == nil { complaints.append("there is no \(id.rawValue)") }
    }
  }

  private mutating func add(_ path: FilePath, _ stamp: FileStamp, _ record: FileRecord) {
    if let row = row(path) { return complaints.append("\(path) is doubled: \(row)") }
    last += 1
    let id = MediaItem.ID(rawValue: last)
    rows[id] = Row(file: KnownFile(id: id, path: path, stamp: stamp))
    update(id, stamp, record)
  }

  private mutating func update(_ id: MediaItem.ID, _ stamp: FileStamp, _ record: FileRecord) {
    edit(id) { row in
      (row.file.stamp, row.file.isHidden, row.record) = (stamp, false, record)
      (row.file.fingerprint, row.file.isSheeted) = (record.fingerprint, record.isSheeted)
    }
  }

  private mutating func edit(_ id: MediaItem.ID, _ body: (inout Row) -> Void) {
    guard var row = rows[id] else { return complaints.append("there is no \(id.rawValue)") }
    body(&row)
    rows[id] = row
  }
}

@Suite("Scans of random trees with CUE sheets")
struct SheetScanTests {
  private func plan(_ tree: SheetTree, _ library: SheetLibrary) -> ScanPlan {
    var index = KnownIndex()
    for file in library.known {
      index.add(file.id, PathDigest(file.path), file.stamp, isHidden: file.isHidden)
    }
    let found = tree.walk(knowing: index)
    let unsettled = Set(found.index.unsettled)
    var plan = ScanPlan(
      found.walk, known: library.known.filter { unsettled.contains($0.id) }, index: found.index)
    let folders = plan.sheetFolders
    plan.take(
      tree.findings(in: folders),
      known: library.known.filter { $0.path.parent.map(folders.contains) ?? false })
    return plan
  }

  /// Scans, and stops after so many steps. Returns whether it came to its end.
  private func scan(_ tree: SheetTree, _ library: inout SheetLibrary, stopAfter: Int) -> Bool {
    var (plan, left) = (plan(tree, library), stopAfter)
    guard left > 0 else { return false }
    for change in plan.changes { library.apply(change) }
    for file in plan.toOpen {
      left -= 1
      guard left > 0 else { return false }
      for change in plan.read(file, tree.read(file.path)) { library.apply(change) }
    }
    guard left > 1 else { return false }
    for change in plan.endingChanges { library.apply(change) }
    return true
  }

  @Test(
    "each file is divided as the sheets beside it say, wherever scans are stopped, and then nothing is left to do",
    arguments: 0..<150 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (tree, library) = (SheetTree(), SheetLibrary())
    tree.begin()
    for round in 0..<40 {
      for _ in 0..<Int.random(in: 0...4, using: &random) { tree.edit(&random) }
      let note: Comment = "seed \(seed), round \(round)"
      let stop = random.chance(30) ? Int.random(in: 0...6, using: &random) : .max
      let sheets = tree.files.keys.filter(\.isSheet).sorted { $0.text < $1.text }
      tree.locked = random.chance(20) ? Set(sheets.randomElement(using: &random).map { [$0] } ?? []) : []
      let isWhole = scan(tree, &library, stopAfter: stop)
      try #require(library.complaints == [], note)
      guard isWhole, tree.locked.isEmpty else { continue }
      let all = tree.findings(in: ["/m", "/m/a", "/m/b"])
      for (path, file) in tree.files {
        let row = try #require(library.row(path), "\(path): \(note)")
        try #require(row.file.stamp == file.stamp && !row.file.isHidden, "\(path): \(note)")
        guard file.sheet == nil else { continue }
        let wanted = try tree.read(path).get().divided(by: all.files[path])
        try #require(row.record == wanted, "\(path): \(note)")
      }
      let shown = library.known.filter { !$0.isHidden }.map(\.path)
      try #require(Set(shown) == Set(tree.files.keys), note)
      let second = plan(tree, library)
      #expect(second.changes == [] && second.toOpen == [] && second.endingChanges == [], note)
      #expect(second.sheetFolders == [], note)
    }
  }
}

@Suite("A sheet that cannot be read")
struct LockedSheetTests {
  @Test("leaves the file cut as it was, and is read again though it has not changed")
  func locked() {
    func stamp(_ number: UInt64) -> FileStamp {
      FileStamp(size: 10, modified: Int64(number), inode: number, device: 1)
    }
    let known = [
      KnownFile(id: .init(rawValue: 1), path: "/m/album.flac", stamp: stamp(1), isSheeted: true),
      KnownFile(id: .init(rawValue: 2), path: "/m/album.cue", stamp: stamp(2)),
    ]
    var walk = FolderWalk(["/m"], files: [FoundFile(path: "/m/new.flac", stamp: stamp(3))], devices: [1])
    (walk.settledCount, walk.settledRoots, walk.sheetFolders) = (1, ["/m"], ["/m"])
    var plan = ScanPlan(walk, known: [])
    #expect(plan.sheetFolders == ["/m"])
    plan.take(SheetFindings(unread: ["/m/album.cue"]), known: known)
    #expect(plan.toOpen.map(\.path) == ["/m/new.flac"])
    guard case .touch(known[1].id, let noted)? = plan.changes.last else {
      Issue.record("\(plan.changes)")
      return
    }
    #expect(noted.size < 0)
  }
}

@Suite("What a sheet says of a file")
struct FilePartsTests {
  private static func entry(_ start: Int?, to end: Int? = nil, _ title: String = "t") -> PlaylistEntry {
    let part = start.flatMap { start in
      FilePart(start: DiscTime(frames: start), end: end.map { DiscTime(frames: $0) })
    }
    var entry = PlaylistEntry(location: .file("/m/a.flac"), part: part)
    entry.title = title
    return entry
  }

  private static func record(_ edit: (inout MediaTags) -> Void = { _ in }) -> FileRecord {
    var tags = MediaTags()
    tags.duration = .seconds(100)
    edit(&tags)
    return FileRecord(tags: tags)
  }

  @Test("the first sheet that cuts a file counts, or else the first that means it as a whole")
  func several() {
    let cut = [Self.entry(0, to: 75), Self.entry(75)]
    let other = [Self.entry(0, to: 150), Self.entry(150)]
    #expect(SheetFinding([[], cut, other]) == .parts(cut))
    #expect(SheetFinding([[Self.entry(nil, "whole")], cut]) == .parts(cut))
    #expect(SheetFinding([[Self.entry(75)], [Self.entry(nil, "whole")]]) == .whole(Self.entry(nil, "whole")))
    #expect(SheetFinding([[Self.entry(75)]]) == nil && SheetFinding([]) == nil)
  }

  @Test(
    "indexes that decrease, and two tracks at one place, leave parts that each begin elsewhere, in their order"
  )
  func broken() {
    let entries = [Self.entry(900), Self.entry(0, to: 400, "a"), Self.entry(300), Self.entry(0, to: 9, "b")]
    #expect(SheetFinding([entries]) == .parts([entries[1], entries[2], entries[0]]))
    let flood = (0...1_000).map { Self.entry($0 * 75) }
    #expect(SheetFinding([flood]) == nil)
  }

  @Test("what begins behind the file's end is no part, and what ends there ends with the file")
  func beyond() {
    let finding = SheetFinding.parts([Self.entry(0, to: 750), Self.entry(750, to: 9_000), Self.entry(9_000)])
    let parts = Self.record().divided(by: finding).parts
    #expect(parts.map(\.part.end?.frames) == [750, nil])
    #expect(parts.map(\.tags.duration) == [.seconds(10), .seconds(90)])
    let one = SheetFinding.parts([Self.entry(0, to: 9_000), Self.entry(9_000)])
    #expect(Self.record().divided(by: one).parts == [] && Self.record().divided(by: one).isSheeted)
  }

  @Test(
    "the sheet counts for a part and the tags where it says nothing; for a whole file it is the other way round"
  )
  func tags() {
    var entry = Self.entry(75, "Song")
    (entry.performer, entry.track, entry.genre) = ("Ann", 2, "Jazz")
    let record = Self.record { tags in
      (tags.title, tags.album, tags.artist, tags.lyrics) = ("Disc", "Album", ["Bob"], "la")
      tags.sort = SortNames(title: "disc", artist: "bob", album: "album, the")
    }
    let part = record.divided(by: .parts([Self.entry(0, to: 75), entry])).parts.last?.tags
    #expect(part?.title == "Song" && part?.artist == ["Ann"] && part?.album == "Album" && part?.track == 2)
    #expect(part?.genre == ["Jazz"] && part?.lyrics == nil && part?.sort == SortNames(album: "album, the"))
    let whole = record.divided(by: .whole(entry))
    #expect(whole.tags.title == "Disc" && whole.tags.artist == ["Bob"] && whole.tags.genre == ["Jazz"])
    #expect(whole.isSheeted && whole.parts == [])
  }

  @Test("a book stays one item")
  func book() {
    let finding = SheetFinding.parts([Self.entry(0, to: 75), Self.entry(75)])
    for kind in [MediaType.audiobook, .podcast] {
      let record = Self.record { $0.mediaType = kind }
      #expect(record.divided(by: finding).parts == [])
    }
  }

  @Test(
    "a known part is found again at its place or near it, and never twice",
    arguments: 0..<100 as Range<UInt64>)
  func pairs(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func starts() -> [Int] {
      Set((0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...900, using: &random) })
        .sorted()
    }
    let (new, old) = (starts(), starts().map { ($0, Bool.random(using: &random)) })
    let pairs = PartPairs.find(
      new.map { DiscTime(frames: $0) }, among: old.map { (start: DiscTime(frames: $0.0), isShown: $0.1) })
    let found = pairs.compactMap { $0 }
    #expect(pairs.count == new.count && Set(found).count == found.count)
    for (start, pair) in zip(new, pairs) {
      if let same = old.firstIndex(where: { $0.0 == start }) { #expect(pair == same) }
      guard let pair else { continue }
      #expect(old[pair].0 == start || old[pair].1 && abs(old[pair].0 - start) <= 150)
    }
    // Nothing is left over on both sides that could have been a pair.
    for (start, pair) in zip(new, pairs) where pair == nil {
      for (index, part) in old.enumerated() where part.1 && !found.contains(index) {
        #expect(abs(part.0 - start) > 150)
      }
    }
  }
}
