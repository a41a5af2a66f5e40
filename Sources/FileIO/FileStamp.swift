// SPDX-License-Identifier: MIT
internal import Glibc

/// Which file it is and in which state: whoever writes it or puts another in its place makes the stamp another one.
package struct FileStamp: Sendable, Hashable {
  /// Which file.
  package let identity: FileIdentity
  /// How many bytes it has.
  package let size: Int64
  private let modified: Time
  private let changed: Time

  private struct Time: Hashable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
  }

  init(_ status: stat) {
    identity = FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    size = Int64(status.st_size)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }
}
