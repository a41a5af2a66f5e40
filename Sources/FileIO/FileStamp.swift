// SPDX-License-Identifier: MIT
internal import Glibc

/// Identifies a file and its state. The stamp changes when the file is written or another file takes its place.
package struct FileStamp: Sendable, Hashable {
  /// The file's identity.
  package let identity: FileIdentity
  /// The file's size in bytes.
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
