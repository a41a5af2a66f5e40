// SPDX-License-Identifier: MIT
package import MediaModel

/// Decides when the library's folders are looked through without anybody asking, and what is said of scans that went wrong.
///
/// There are three reasons. Something has changed in a folder that is watched: `RescanPace` says when. The last scan failed: it is tried
/// again, each time after twice as long, because a full disk or a missing program is seldom mended within a minute. Or nobody tells of
/// changes, because no more folders can be watched or a folder lies on another machine: then all are looked through every half hour.
///
/// It is told when scans begin and end. While one is there, none is due.
package struct RescanPolicy: Sendable {
  /// How a scan ended.
  package enum End: Sendable, Hashable {
    case done
    case cancelled
    /// It could not go on, for this reason.
    case failed(String)
  }

  private struct Failure: Sendable {
    var reason: String
    /// How many scans in a row have failed.
    var count: Int
    var last: Duration
  }

  /// How often everything is looked through if changes are not told.
  static let period = Duration.seconds(30 * 60)
  /// How long after its failure a scan is tried again for the first time, and at the most.
  static let firstRetry = Duration.seconds(60)
  static let longestRetry = Duration.seconds(60 * 60)
  /// No scan is taken to be longer than this when the pause after it is chosen.
  static let longScan = Duration.seconds(60)

  private var pace = RescanPace()
  /// How many scans are there that have not ended, suspended ones too.
  private var open = 0
  private var failure: Failure?
  private var lastEnd: Duration?
  /// Why some folders can't be watched; nil if all are.
  private var unwatched: String?
  /// The folders of the library with something on a file system that tells nothing, and its name.
  private var silent: [FilePath: String] = [:]

  package init() {}

  // MARK: What is due

  /// When a scan of everything is due; nil if none is.
  package var due: Duration? {
    guard open == 0 else { return nil }
    // Changes don't mend what made a scan fail.
    if let failure { return failure.last + Self.pause(after: failure.count) }
    return [pace.due, isBlind ? lastEnd.map { $0 + Self.period } : nil].compactMap { $0 }.min()
  }

  private var isBlind: Bool { unwatched != nil || !silent.isEmpty }

  private static func pause(after failures: Int) -> Duration {
    min(firstRetry * (1 << min(failures - 1, 16)), longestRetry)
  }

  /// What a person should know about the scans; nil if all is well.
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

  /// Something has changed in a folder that is watched.
  package mutating func changed(at now: Duration) { pace.changed(at: now) }

  /// A scan was begun, which will find what has changed so far.
  package mutating func began() {
    open += 1
    pace.began()
  }

  /// A scan has ended after it worked for `time`. `isWhole` means that it was one of all folders. Returns what the log has to say: a
  /// failure with the same reason as the last one is not told again.
  package mutating func ended(
    _ end: End, isWhole: Bool, after time: Duration, at now: Duration
  ) -> String? {
    open = max(0, open - 1)
    lastEnd = now
    pace.ended(after: min(time, Self.longScan), at: now)
    switch end {
    case .cancelled:
      // Whoever cancels it does not want it again in a minute.
      failure?.last = now
      return nil
    case .done:
      // The folder that failed may be another one.
      if isWhole { failure = nil }
      return nil
    case .failed(let reason):
      let isNews = failure?.reason != reason
      failure = Failure(reason: reason, count: (failure?.count ?? 0) + 1, last: now)
      return isNews ? "a scan failed: \(reason); it is tried again by itself" : nil
    }
  }

  /// Takes why folders can't be watched; nil if all are.
  package mutating func watches(trouble: String?) { unwatched = trouble }

  /// A scan has seen on which file systems these folders lie: their names if they tell of no changes. `isWhole` means that there are no
  /// other folders.
  package mutating func saw(_ folders: [FilePath: String?], isWhole: Bool) {
    if isWhole { silent = [:] }
    for (folder, name) in folders { silent[folder] = name }
  }
}

/// File systems that tell nobody of changes that were made on another machine.
package enum SilentFileSystem {
  /// The numbers by which Linux calls them, from `linux/magic.h` and the file systems' own headers.
  private static let names: [UInt64: String] = [
    0x6969: "NFS", 0x517b: "SMB", 0xff53_4d42: "CIFS", 0xfe53_4d42: "SMB", 0x0102_1997: "9P",
    0x5346_414f: "AFS",
    0x6b41_4653: "AFS", 0x00c3_6400: "Ceph", 0x7375_7245: "Coda", 0x0bd0_0bd0: "Lustre",
    0x1983_0326: "BeeGFS",
    0x786f_4256: "VirtualBox's shared folders", 0xbacb_acbc: "VMware's shared folders",
  ]
  private static let fuse: UInt64 = 0x6573_5546

  /// The name of such a file system; nil for one that tells of changes. `type` is its number, `device` that of its disk.
  package static func name(type: UInt64, device: UInt64) -> String? {
    if let name = names[type] { return name }
    // Programs serve SSH, cloud drives and the like by FUSE. If one serves a disk, as for NTFS, the device is that disk's.
    return type == fuse && isUnnamed(device) ? "a network file system (FUSE)" : nil
  }

  /// Whether there is no disk behind a device's number: the kernel gives such ones the major number 0.
  private static func isUnnamed(_ device: UInt64) -> Bool { device >> 8 & 0xfff == 0 && device >> 44 == 0 }
}
