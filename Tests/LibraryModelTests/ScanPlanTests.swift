// SPDX-License-Identifier: MIT
import LibraryModel
import MediaModel
import Testing

/// Short names for what the tables say.
private func print(_ number: UInt8) -> AudioFingerprint? {
  AudioFingerprint(rawValue: [UInt8](repeating: number, count: AudioFingerprint.size))
}
private func stamp(_ inode: UInt64, size: Int64 = 10, modified: Int64 = 5, device: UInt64 = 1) -> FileStamp {
  FileStamp(size: size, modified: modified, inode: inode, device: device)
}
private func known(
  _ id: Int64, _ path: FilePath, _ stamp: FileStamp, _ number: UInt8? = nil, hidden: Bool = false,
  failure: String? = nil
) -> KnownFile {
  KnownFile(
    id: MediaItem.ID(rawValue: id), path: path, stamp: stamp, fingerprint: number.flatMap(print),
    isHidden: hidden, failure: failure)
}
private func found(_ path: FilePath, _ stamp: FileStamp) -> FoundFile { FoundFile(path: path, stamp: stamp) }
private func record(_ number: UInt8?) -> FileRecord {
  FileRecord(tags: MediaTags(), fingerprint: number.flatMap(print))
}
private func id(_ number: Int64) -> MediaItem.ID { MediaItem.ID(rawValue: number) }

@Suite("What a scan opens, and what becomes of known files")
struct ScanPlanTests {
  private func walk(_ files: [FoundFile], unseen: [FilePath] = [], devices: Set<UInt64> = [1]) -> FolderWalk {
    FolderWalk(["/m"], files: files, unseen: unseen, devices: devices)
  }
  private let other = found("/m/other", stamp(99))
  private var otherKnown: KnownFile { known(99, "/m/other", stamp(99)) }

  @Test("an unchanged file is neither opened nor written")
  func unchanged() {
    let plan = ScanPlan(walk([other]), known: [otherKnown])
    #expect(plan.changes == [] && plan.toOpen == [] && plan.endingChanges == [])
  }

  @Test("a new file is opened and added")
  func new() {
    let file = found("/m/a", stamp(1))
    var plan = ScanPlan(walk([file]), known: [])
    #expect(plan.toOpen == [file])
    #expect(plan.read(file, .success(record(1))) == [.add("/m/a", stamp(1), record(1))])
  }

  @Test("the next scan may read again what changes and what could not be read, not what was new")
  func repeatedReading() {
    let new = (1...3).map { found(FilePath(stringLiteral: "/m/\($0)"), stamp(UInt64($0))) }
    let changed = found("/m/a", stamp(9, size: 12, modified: 6))
    var plan = ScanPlan(walk(new + [changed]), known: [known(9, "/m/a", stamp(9), 9)])
    #expect(plan.toOpen.count == 4 && plan.shareOfRepeatedReading == 0.25)
    for (number, file) in zip([1, 2] as [UInt8], new) { _ = plan.read(file, .success(record(number))) }
    _ = plan.read(new[2], .failure(.unreadable("the disk")))
    #expect(plan.shareOfRepeatedReading == 0.5)
    #expect(ScanPlan(walk(new), known: []).shareOfRepeatedReading == 0)
  }

  @Test("a retagged file keeps its item")
  func retagged() {
    let file = found("/m/a", stamp(1, size: 12, modified: 6))
    var plan = ScanPlan(walk([file]), known: [known(1, "/m/a", stamp(1), 1)])
    #expect(plan.read(file, .success(record(1))) == [.update(id(1), file.stamp, record(1))])
    #expect(plan.endingChanges == [])
  }

  @Test(
    "a file whose status alone has changed is read again: its tags may be others, with the size and time set back"
  )
  func statusChanged() {
    func stamped(_ changed: Int64) -> FileStamp {
      FileStamp(size: 10, modified: 5, inode: 1, device: 1, changed: changed)
    }
    func plan(_ before: Int64, _ now: Int64) -> ScanPlan {
      ScanPlan(walk([found("/m/a", stamped(now))]), known: [known(1, "/m/a", stamped(before), 1)])
    }
    var index = KnownIndex()
    index.add(id(1), PathDigest("/m/a"), stamped(7), isHidden: false)
    for (now, isSettled) in [(7, true), (0, true), (8, false)] as [(Int64, Bool)] {
      var index = index
      let isAsItWas = index.settle(PathDigest("/m/a"), stamped(now))
      #expect(isAsItWas == isSettled, "\(now)")
    }
    #expect(plan(7, 8).toOpen.count == 1 && plan(7, 8).changes == [])
    // What an older version has stored says nothing of it.
    guard case .touch(id(1), let noted)? = plan(0, 8).changes.first else {
      Issue.record("\(plan(0, 8).changes)")
      return
    }
    #expect(
      noted.changed == 8 && plan(0, 8).toOpen == [] && plan(7, 0).changes == [] && plan(7, 0).toOpen == [])
  }

  @Test(
    "a file with the same size and time is not opened if only its disk's numbers are new",
    arguments: [stamp(7), stamp(1, device: 2), stamp(7, device: 2)])
  func touched(stamp new: FileStamp) {
    let plan = ScanPlan(walk([found("/m/a", new)]), known: [known(1, "/m/a", stamp(1))])
    #expect(plan.changes == [.touch(id(1), new)] && plan.toOpen == [])
  }

  @Test("a file that was renamed on its disk is not opened")
  func renamed() {
    let plan = ScanPlan(walk([found("/m/b/a", stamp(1))]), known: [known(1, "/m/a", stamp(1), 1)])
    #expect(plan.changes == [.move(id(1), "/m/b/a", stamp(1))])
    #expect(plan.toOpen == [] && plan.endingChanges == [])
  }

  @Test("in a chain of renamed files each move finds its new path free")
  func chain() {
    let plan = ScanPlan(
      walk([found("/m/2", stamp(1)), found("/m/3", stamp(2)), found("/m/4", stamp(3))]),
      known: [known(1, "/m/1", stamp(1)), known(2, "/m/2", stamp(2)), known(3, "/m/3", stamp(3))])
    #expect(
      plan.changes == [
        .move(id(3), "/m/4", stamp(3)), .move(id(2), "/m/3", stamp(2)), .move(id(1), "/m/2", stamp(1)),
      ])
    #expect(plan.toOpen == [] && plan.endingChanges == [])
  }

  @Test("files that exchanged their names keep their items; one is put aside meanwhile")
  func exchange() {
    let plan = ScanPlan(
      walk([found("/m/1", stamp(2)), found("/m/2", stamp(1))]),
      known: [known(1, "/m/1", stamp(1)), known(2, "/m/2", stamp(2))])
    #expect(
      plan.changes == [
        .move(id(1), "/m/1/.1", stamp(1)), .move(id(2), "/m/1", stamp(2)), .move(id(1), "/m/2", stamp(1)),
      ])
    #expect(plan.toOpen == [])
  }

  @Test("names that moved up after the first file was removed keep their items", arguments: [true, false])
  func closedGap(isGoneBefore: Bool) {
    var first = known(1, "/m/1", stamp(1), 1)
    first.isHidden = isGoneBefore
    let plan = ScanPlan(
      walk([found("/m/1", stamp(2)), found("/m/2", stamp(3))]),
      known: [first, known(2, "/m/2", stamp(2)), known(3, "/m/3", stamp(3))])
    #expect(
      plan.changes == [
        .displace(id(1), "/m/1/.1"), .move(id(2), "/m/1", stamp(2)), .move(id(3), "/m/2", stamp(3)),
      ])
    #expect(plan.toOpen == [] && plan.endingChanges == [])
  }

  @Test("what was displaced is found again, under its name or another")
  func displacedIsBack() {
    var first = known(1, "/m/1/.1", stamp(1), 1)
    first.isHidden = true
    let file = found("/m/new/1", stamp(70, size: 11, modified: 9))
    var plan = ScanPlan(walk([found("/m/1", stamp(2)), file]), known: [first, known(2, "/m/1", stamp(2))])
    #expect(plan.read(file, .success(record(1))).first == .move(id(1), file.path, file.stamp))
    let back = ScanPlan(
      walk([found("/m/1", stamp(1)), found("/m/2", stamp(2))]), known: [first, known(2, "/m/1", stamp(2))])
    #expect(back.changes == [.move(id(2), "/m/2", stamp(2)), .move(id(1), "/m/1", stamp(1))])
  }

  @Test("a file that takes the name of one that was missing already keeps its item")
  func takesNameOfMissing() {
    var first = known(1, "/m/1", stamp(1), 1)
    first.isHidden = true
    let plan = ScanPlan(walk([found("/m/1", stamp(2))]), known: [first, known(2, "/m/2", stamp(2))])
    #expect(plan.changes == [.displace(id(1), "/m/1/.1"), .move(id(2), "/m/1", stamp(2))])
  }

  @Test("names that were exchanged on a disk are followed also if the disk has another number now")
  func exchangeElsewhere() {
    let stamp = { (inode: UInt64, device: UInt64) in
      FileStamp(size: 10, modified: Int64(inode), inode: inode, device: device)
    }
    let plan = ScanPlan(
      walk(
        [found("/m/1", stamp(2, 7)), found("/m/2", stamp(1, 7)), found("/m/keep", stamp(3, 7))], devices: [7]),
      known: [
        known(1, "/m/1", stamp(1, 2)), known(2, "/m/2", stamp(2, 2)), known(3, "/m/keep", stamp(3, 2)),
      ])
    #expect(
      plan.changes.suffix(3) == [
        .move(id(1), "/m/1/.1", stamp(1, 7)), .move(id(2), "/m/1", stamp(2, 7)),
        .move(id(1), "/m/2", stamp(1, 7)),
      ])
    #expect(plan.toOpen == [])
  }

  @Test("a file that took the name of a file that is gone keeps the item of that name")
  func overwritten() {
    let file = found("/m/2", stamp(1))
    var plan = ScanPlan(
      walk([file]), known: [known(1, "/m/1", stamp(1), 1), known(2, "/m/2", stamp(2, size: 20), 2)])
    #expect(plan.changes == [] && plan.toOpen == [file])
    #expect(plan.read(file, .success(record(1))) == [.update(id(2), stamp(1), record(1))])
    #expect(plan.endingChanges == [.hide(id(1))])
  }

  @Test("a file that was moved to another disk is recognized by its sound, even if it was retagged there")
  func movedFar() {
    let file = found("/m/disk/a", stamp(70, size: 11, modified: 9, device: 2))
    var plan = ScanPlan(
      walk([file, other], devices: [1, 2]), known: [known(1, "/m/a", stamp(1), 1), otherKnown])
    #expect(
      plan.read(file, .success(record(1))) == [
        .move(id(1), file.path, file.stamp), .update(id(1), file.stamp, record(1)),
      ])
    #expect(plan.endingChanges == [])
  }

  @Test("equal copies are two items, also if the first one was moved")
  func copies() {
    let files = [found("/m/x/b", stamp(2)), found("/m/x/a", stamp(3)), other]
    var plan = ScanPlan(walk(files), known: [known(1, "/m/a", stamp(1, size: 9), 1), otherKnown])
    #expect(plan.read(files[0], .success(record(1))).first == .move(id(1), files[0].path, files[0].stamp))
    #expect(plan.read(files[1], .success(record(1))) == [.add(files[1].path, files[1].stamp, record(1))])
    var present = ScanPlan(walk([files[0], found("/m/a", stamp(1))]), known: [known(1, "/m/a", stamp(1), 1)])
    #expect(present.read(files[0], .success(record(1))) == [.add(files[0].path, files[0].stamp, record(1))])
  }

  @Test(
    "of several lost copies the one with the same time, then the visible one, then the same name is taken")
  func bestCopy() {
    let file = found("/m/x/a", stamp(5, size: 10, modified: 5))
    let copies = [
      known(1, "/m/a", stamp(1, size: 9), 1), known(2, "/m/b", stamp(2), 1),
      known(3, "/m/y/a", stamp(3), 1, hidden: true),
    ]
    var plan = ScanPlan(walk([file, other]), known: copies + [otherKnown])
    #expect(plan.read(file, .success(record(1))).first == .move(id(2), file.path, file.stamp))
    var rest = ScanPlan(walk([file, other]), known: [copies[0], copies[2], otherKnown])
    #expect(rest.read(file, .success(record(1))).first == .move(id(3), file.path, file.stamp))
  }

  // MARK: What is gone

  @Test("a file that is gone is hidden at the end, and not while files are read")
  func removed() {
    let plan = ScanPlan(walk([other]), known: [known(1, "/m/a", stamp(1), 1), otherKnown])
    #expect(plan.changes == [] && plan.endingChanges == [.hide(id(1))] && plan.keptCount == 0)
  }

  @Test("a hidden file that is back is shown again; it is opened only if it changed")
  func back() {
    let hidden = known(1, "/m/a", stamp(1), 1, hidden: true)
    #expect(ScanPlan(walk([found("/m/a", stamp(1))]), known: [hidden]).changes == [.show(id(1), stamp(1))])
    let remounted = ScanPlan(walk([found("/m/a", stamp(8, device: 4))]), known: [hidden])
    #expect(remounted.changes == [.show(id(1), stamp(8, device: 4))])
    let file = found("/m/a", stamp(1, modified: 6))
    var changed = ScanPlan(walk([file]), known: [hidden])
    #expect(changed.read(file, .success(record(1))) == [.update(id(1), file.stamp, record(1))])
    #expect(ScanPlan(walk([other]), known: [hidden, otherKnown]).endingChanges == [])
  }

  @Test("a hidden file that turns up elsewhere is the same item, even from a disk that is gone")
  func hiddenMoved() {
    let file = found("/m/new/a", stamp(70))
    var plan = ScanPlan(
      walk([file]), known: [known(1, "/m/disk/a", stamp(1, size: 3, device: 2), 1, hidden: true)])
    #expect(plan.read(file, .success(record(1))).first == .move(id(1), file.path, file.stamp))
  }

  @Test(
    "what could not be seen hides nothing",
    arguments: [
      // An empty mount point in the library, one that is the whole folder, and folders that can't be listed.
      FolderWalk(["/m"], files: [FoundFile(path: "/m/other", stamp: stamp(99))], devices: [1]),
      FolderWalk(["/m"], devices: [1, 2]),
      FolderWalk(["/m"], unseen: ["/m"]),
      FolderWalk(
        ["/m"], files: [FoundFile(path: "/m/other", stamp: stamp(99))], unseen: ["/m/disk"], devices: [1, 2]),
    ])
  func unseen(walk: FolderWalk) {
    let far = known(1, "/m/disk/album/a", stamp(1, device: 2), 1)
    let plan = ScanPlan(walk, known: [far])
    #expect(plan.endingChanges == [] && plan.keptCount == 1)
    // A copy elsewhere is not the file that can't be seen.
    let copy = found("/m/copy", stamp(50))
    var copied = ScanPlan(
      FolderWalk(["/m"], files: [copy], unseen: walk.unseen, devices: [1]), known: [far])
    #expect(copied.read(copy, .success(record(1))) == [.add(copy.path, copy.stamp, record(1))])
  }

  @Test("a disk with a new number is there, so what is gone from it is hidden")
  func renumbered() {
    let plan = ScanPlan(
      walk([found("/m/disk/b", stamp(20, device: 7))], devices: [1, 7]),
      known: [known(1, "/m/disk/a", stamp(1, device: 2)), known(2, "/m/disk/b", stamp(2, device: 2))])
    #expect(plan.changes == [.touch(id(2), stamp(20, device: 7)), .touch(id(1), stamp(1, device: 7))])
    #expect(plan.endingChanges == [.hide(id(1))])
  }

  @Test("what is on a missing disk stays when another disk has got its number, also at the next scan")
  func takenOver() {
    let (far, near) = (known(1, "/m/a/y", stamp(1, device: 2), 1), known(2, "/m/b/x", stamp(2, device: 3)))
    let there = found("/m/b/x", stamp(2, device: 2))
    let plan = ScanPlan(walk([there], devices: [1, 2]), known: [far, near])
    guard plan.changes.count == 2, case .touch(id(1), let nowhere) = plan.changes[1] else {
      return #expect(Bool(false), "\(plan.changes)")
    }
    #expect(plan.changes[0] == .touch(id(2), there.stamp))
    #expect(plan.endingChanges == [] && plan.keptCount == 1)
    let noted = known(1, "/m/a/y", nowhere, 1)
    let next = ScanPlan(walk([there], devices: [1, 2]), known: [noted, known(2, "/m/b/x", there.stamp)])
    #expect(next.changes == [] && next.endingChanges == [] && next.keptCount == 1)
    // The disk is back with a third number.
    let back = ScanPlan(
      walk([there, found("/m/a/y", stamp(1, device: 4))], devices: [1, 2, 4]),
      known: [noted, known(2, "/m/b/x", there.stamp)])
    #expect(back.changes == [.touch(id(1), stamp(1, device: 4))] && back.toOpen == [])
  }

  @Test(
    "what is on a missing disk stays when a new disk has got its number at another place, also at the next scan"
  )
  func takenOverByNew() {
    let gone = known(1, "/m/a/y", stamp(1, device: 2), 1)
    let new = found("/m/b/x", stamp(2, device: 2))
    var seen = walk([new], devices: [1, 2])
    seen.mounts = ["/m": 1, "/m/b": 2]
    let plan = ScanPlan(seen, known: [gone])
    guard plan.changes.count == 1, case .touch(id(1), let nowhere) = plan.changes[0] else {
      Issue.record("\(plan.changes)")
      return
    }
    #expect(plan.endingChanges == [] && plan.keptCount == 1 && plan.toOpen == [new])
    let next = ScanPlan(seen, known: [known(1, "/m/a/y", nowhere, 1), known(2, "/m/b/x", new.stamp)])
    #expect(next.changes == [] && next.endingChanges == [] && next.keptCount == 1)
    // A file that was removed from a disk which is where it was, is gone.
    let removed = ScanPlan(seen, known: [known(3, "/m/b/z", stamp(3, device: 2), 3)])
    #expect(removed.endingChanges == [.hide(id(3))])
  }

  @Test("a copy that was put back from another disk takes over no number, as other files there are unchanged")
  func putBack() {
    let (gone, copied) = (known(1, "/m/y", stamp(1)), known(2, "/m/x", stamp(2, device: 3)))
    var seen = walk([found("/m/x", stamp(7))])
    #expect(ScanPlan(seen, known: [gone, copied]).endingChanges == [])
    seen.settledDevices = [1]
    #expect(ScanPlan(seen, known: [gone, copied]).endingChanges == [.hide(id(1))])
    seen.settledDevices = []
    seen.files.append(other)
    #expect(ScanPlan(seen, known: [gone, copied, otherKnown]).endingChanges == [.hide(id(1))])
  }

  // MARK: What can't be read

  @Test("a file that can't be read is noted, and opened again only when it changed or its disk failed")
  func unreadable() {
    let file = found("/m/a", stamp(1))
    var plan = ScanPlan(walk([file]), known: [])
    #expect(plan.read(file, .failure(.unsound("no sound"))) == [.failed("/m/a", stamp(1), "no sound")])
    let noted = known(1, "/m/a", stamp(1), failure: "no sound")
    #expect(ScanPlan(walk([file]), known: [noted]).toOpen == [])
    guard case .failed(_, let stamp, "denied")? = plan.read(file, .failure(.unreadable("denied"))).first
    else {
      return #expect(Bool(false), "it is not noted")
    }
    var again = ScanPlan(walk([file]), known: [known(1, "/m/a", stamp, failure: "denied")])
    #expect(again.toOpen == [file])
    #expect(again.read(file, .failure(.unreadable("denied"))) == [])
    #expect(again.read(file, .success(record(1))) == [.update(id(1), file.stamp, record(1))])
  }

  @Test("a file that vanished before it was opened changes nothing")
  func vanished() {
    let file = found("/m/a", stamp(1, modified: 8))
    var plan = ScanPlan(walk([file]), known: [known(1, "/m/a", stamp(1), 1)])
    #expect(plan.read(file, .failure(.vanished)) == [] && plan.endingChanges == [])
  }

  @Test("a disk with another number is known again where all its files are to be read anew")
  func readAnewElsewhere() {
    let (a, b) = (stamp(1, size: -1, device: 2), stamp(2, size: -1, device: 2))
    let there = found("/m/disk/a", stamp(1, device: 7))
    let plan = ScanPlan(
      walk([there], devices: [1, 7]), known: [known(1, "/m/disk/a", a, 1), known(2, "/m/disk/b", b, 2)])
    #expect(plan.toOpen == [there] && plan.endingChanges == [.hide(id(2))] && plan.keptCount == 0)
  }

  @Test("a folder holds what is below it, and not what only begins like it")
  func below() {
    #expect(("/m/a" as FilePath).isBelow("/m") && ("/m/a/b" as FilePath).isBelow("/m"))
    #expect(!("/music" as FilePath).isBelow("/m") && !("/m" as FilePath).isBelow("/m"))
    #expect(("/m" as FilePath).isBelow("/"))
  }
}

@Suite("Changes in batches")
struct ScanBatchTests {
  private let change = FileChange.hide(MediaItem.ID(rawValue: 1))

  @Test("changes wait for more, but not for long")
  func waits() {
    var batch = ScanBatch()
    #expect(batch.add([change], at: .seconds(10)) == [])
    #expect(batch.add([], at: .seconds(10.9)) == [])
    #expect(batch.add([], at: .seconds(11)) == [change])
    #expect(batch.add([change], at: .seconds(50)) == [] && batch.rest() == [change] && batch.rest() == [])
    let many = [FileChange](repeating: change, count: ScanBatch.size)
    #expect(batch.add(many, at: .seconds(60)) == many)
  }
}
