// SPDX-License-Identifier: MIT
import Glibc

/// The kind, permissions and size of a file.
package struct FileStatus: Sendable {
  /// Its kind and permissions, as `stat` gives them. Not as `mode_t`, which several C modules declare: whose it is depends on how all is built.
  package let mode: UInt32
  /// Its length in bytes.
  package let size: Int

  /// The status of the file at a path; nil if there is none. A symbolic link at the end is not followed.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    mode = status.st_mode
    size = Int(status.st_size)
  }

  /// Its permissions: 0o600 and the like.
  package var permissions: UInt32 { mode & 0o7777 }

  /// Whether it is a folder.
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }

  /// Whether it is a character device, such as /dev/null.
  package var isCharacterDevice: Bool { mode & S_IFMT == S_IFCHR }

  /// Whether anybody but its owner may read, write or execute it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
