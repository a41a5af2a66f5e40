// SPDX-License-Identifier: MIT
package import MediaModel

/// Decides when the library's folders are scanned without anybody asking, and what is reported about scans that failed.
///
/// There are three reasons for a scan. First, a watched folder has changed: `RescanPace` says when to scan. Second, the last scan failed: it is tried
/// again, each time after twice as long, because a full disk or a missing program is seldom repaired within a minute. Third, some changes are not
/// reported: if no more folders can be watched, if a scan was cancelled (only folders that one has entered are watched), if a folder lies on another
/// machine, if a folder is missing, since its disk may be mounted later, and if a file could not be read or a folder not be listed. Then all folders are
/// scanned every half hour.
///
/// Call it when scans begin and end. While there is one, no other is due.
package struct RescanPolicy: Sendable {
  /// How a scan ended.
  package enum End: Sendable, Hashable {
    case done
    case cancelled
    /// The scan failed, for this reason.
    case failed(String)
  }

  private struct Failure: Sendable {
    var reason: String
    /// How many scans in a row have failed.
    var count: Int
    var last: Duration
  }

  /// How often everything is scanned if changes are not reported.
  static let period = Duration.seconds(30 * 60)
  /// How long after a failure a scan is tried again, at first and at most.
  static let firstRetry = Duration.seconds(60)
  static let longestRetry = Duration.seconds(60 * 60)
  /// The pause after a scan depends on how long the scan took; a longer one counts as taking this long.
  static let longScan = Duration.seconds(60)

  private var pace = RescanPace()
  /// How many scans have begun and not ended, suspended ones too.
  private var open = 0
  private var failure: Failure?
  private var lastEnd: Duration?
  /// Why the system does not let some folders be watched; nil if it does.
  private var trouble: String?
  /// The same of the former watch, whose place another has taken. It counts until that one was asked for each folder.
  private var formerTrouble: String?
  /// Whether some folders may be unwatched because a scan was cancelled: only folders that a scan has entered are watched.
  private var isCutShort = false
  /// The folders of the library that have a part on a file system which reports no changes of other machines, with that system's name.
  private var silent: [FilePath: String] = [:]
  /// The folders of the library whose disks seem not to be mounted, or do not answer.
  private var missing: Set<FilePath> = []
  /// The folders of the library in which a file could not be read, or a folder not be listed.
  private var incomplete: Set<FilePath> = []
  /// The folders of the library with known files on a disk that is not mounted.
  private var lackingDisks: Set<FilePath> = []

  /// The last time that a disk was looked for which a folder lacks, and how long after it none is, whatever else is mounted. Containers and the like mount
  /// something all the time.
  private var diskLook: (last: Duration, pause: Duration)?

  /// Whether something was mounted or unmounted that these folders of the library may be on, so that they are to be scanned now. That can be any disk while
  /// a folder is missing, or while a folder lacks one of its disks: a symbolic link may lead there.
  package mutating func concerns(
    mountsAt points: Set<FilePath>, _ folders: [FilePath], at now: Duration
  ) -> Bool {
    if !missing.isEmpty { return true }
    if folders.contains(where: { points.contains(where: $0.shares(branchWith:)) }) { return true }
    guard !lackingDisks.isEmpty, diskLook.map({ now >= $0.last + $0.pause }) ?? true else { return false }
    diskLook = (now, diskLook.map { min($0.pause * 2, Self.period) } ?? Self.firstRetry)
    return true
  }

  package init() {}

  // MARK: What is due

  /// When a scan of everything is due; nil if none is.
  package var due: Duration? {
    guard open == 0 else { return nil }
    // A change does not remove the cause of a failure, so it does not bring the next try forward.
    if let failure { return failure.last + Self.pause(after: failure.count) }
    return [pace.due, isBlind ? lastEnd.map { $0 + Self.period } : nil].compactMap { $0 }.min()
  }

  /// Why some folders are not watched; nil if all are.
  private var unwatched: String? {
    trouble ?? formerTrouble ?? (isCutShort ? "a scan was cancelled before it had seen every folder" : nil)
  }

  private var isBlind: Bool { unwatched != nil || !silent.isEmpty || !missing.isEmpty || !incomplete.isEmpty }

  private static func pause(after failures: Int) -> Duration {
    min(firstRetry * (1 << min(failures - 1, 16)), longestRetry)
  }

  /// A problem with the scans that a person should know; nil if there is none.
  package var why: String? {
    if let failure { return "the last scan failed: \(failure.reason); it is tried again by itself" }
    if let unwatched { return "changes are looked for every half hour: \(unwatched)" }
    guard let (folder, name) = silent.min(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) else {
      return nil
    }
    let others = silent.count > 1 ? " and \(silent.count - 1) more" : ""
    return "changes are looked for every half hour: '\(folder)'\(others) is on \(name), which tells of none"
  }

  // MARK: What happens

  /// Call when something in a watched folder has changed.
  package mutating func changed(at now: Duration) { pace.changed(at: now) }

  /// Call when a scan was begun. One of all folders will find all changes so far; one of some folders may miss those in the others.
  package mutating func began(isWhole: Bool = true) {
    open += 1
    if isWhole { pace.began() }
  }

  /// Call when a scan has ended after it worked for `time`. `isWhole` means that it was a scan of all folders. Returns a text for the log; nil if
  /// there is none, as for a failure with the same reason as the last one.
  package mutating func ended(
    _ end: End, isWhole: Bool, after time: Duration, at now: Duration
  ) -> String? {
    open = max(0, open - 1)
    lastEnd = now
    pace.ended(after: min(time, Self.longScan), at: now)
    switch end {
    case .cancelled:
      isCutShort = true
      // Somebody who cancels a scan does not want it again in a minute.
      failure?.last = now
      return nil
    case .done:
      // A scan of some folders proves nothing about the folder that failed.
      if isWhole { (failure, formerTrouble, isCutShort) = (nil, nil, false) }
      return nil
    case .failed(let reason):
      let isNews = failure?.reason != reason
      failure = Failure(reason: reason, count: (failure?.count ?? 0) + 1, last: now)
      return isNews ? "a scan failed: \(reason); it is tried again by itself" : nil
    }
  }

  /// Call when the disk of a folder may answer again which a scan has waited for in vain.
  package mutating func answered(at now: Duration) {
    failure = nil
    pace.changed(at: now)
  }

  /// Sets why the system does not let some folders be watched; nil if it does.
  package mutating func watches(trouble: String?) { self.trouble = trouble }

  /// Call when another watch takes the place of one that had this trouble, before a scan of all folders.
  package mutating func watchesAnew(after former: String?) {
    (trouble, formerTrouble) = (nil, former ?? formerTrouble)
  }

  /// Sets on which file systems these folders lie, as a scan has found: the name of one that reports no changes, or nil. `missing` are those of them
  /// whose disks seem not to be mounted, `lackingDisks` those with known files on such a disk, and `incomplete` those in which it could not read a file
  /// or list a folder. `isWhole` means that these are all folders.
  package mutating func saw(
    _ folders: [FilePath: String?], missing: Set<FilePath> = [], lackingDisks: Set<FilePath> = [],
    incomplete: Set<FilePath> = [], isWhole: Bool
  ) {
    let lacking = self.lackingDisks
    defer { if self.lackingDisks != lacking { diskLook = nil } }
    if isWhole { (silent, self.missing, self.incomplete, self.lackingDisks) = ([:], [], [], []) }
    for (folder, name) in folders { silent[folder] = name }
    self.missing.subtract(folders.keys)
    self.missing.formUnion(missing)
    self.incomplete.subtract(folders.keys)
    self.incomplete.formUnion(incomplete)
    self.lackingDisks.subtract(folders.keys)
    self.lackingDisks.formUnion(lackingDisks)
  }
}

/// File systems that do not report changes that another machine makes.
package enum SilentFileSystem {
  /// The numbers of these file systems in Linux, from `linux/magic.h` and the file systems' own headers.
  private static let names: [UInt64: String] = [
    0x6969: "NFS", 0x517b: "SMB", 0xff53_4d42: "CIFS", 0xfe53_4d42: "SMB", 0x0102_1997: "9P",
    0x5346_414f: "AFS",
    0x6b41_4653: "AFS", 0x00c3_6400: "Ceph", 0x7375_7245: "Coda", 0x0bd0_0bd0: "Lustre",
    0x1983_0326: "BeeGFS",
    0x786f_4256: "VirtualBox's shared folders", 0xbacb_acbc: "VMware's shared folders",
  ]
  private static let fuse: UInt64 = 0x6573_5546

  /// The name of a file system that reports no changes of other machines; nil for any other. `type` is its number, `device` that of its disk.
  package static func name(type: UInt64, device: UInt64) -> String? {
    if let name = names[type] { return name }
    // FUSE serves network file systems such as SSH and cloud drives, but also disks, for example with NTFS. In the second case the device is a
    // disk's.
    return type == fuse && isUnnamed(device) ? "a network file system (FUSE)" : nil
  }

  /// Whether no disk has this device number: for a file system without a disk, the kernel sets the major number to 0.
  private static func isUnnamed(_ device: UInt64) -> Bool { device >> 8 & 0xfff == 0 && device >> 44 == 0 }
}

/// Decides when folders are scanned again after a change in them.
///
/// An album that is copied or retagged makes hundreds of changes; one scan after the last of them is enough. A program that writes all the time must
/// not cause endless scans, so each scan waits many times as long as the last one took.
package struct RescanPace: Sendable {
  /// A scan begins when nothing has changed for this long.
  static let quiet = Duration.seconds(2)
  /// If changes don't end, a scan begins after this time all the same.
  static let patience = Duration.seconds(30)
  /// The least time between two scans.
  static let least = Duration.seconds(5)
  /// Scans take at most 1/20 of the time.
  static let share = 20

  private var firstChange: Duration?
  private var lastChange = Duration.zero
  private var notBefore = Duration.zero

  package init() {}

  /// When the next scan is due; nil if nothing has changed.
  package var due: Duration? {
    guard let firstChange else { return nil }
    return max(min(lastChange + Self.quiet, firstChange + Self.patience), notBefore)
  }

  /// Call when something in the watched folders has changed.
  package mutating func changed(at now: Duration) {
    firstChange = firstChange ?? now
    lastChange = now
  }

  /// Call when a scan begins; it will find all changes so far.
  package mutating func began() { firstChange = nil }

  /// Call when a scan has ended that took this long.
  package mutating func ended(after time: Duration, at now: Duration) {
    notBefore = now + max(Self.least, time * Self.share)
  }
}
