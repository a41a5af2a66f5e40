// SPDX-License-Identifier: MIT
package import Glibc

/// What a file is, and who may do what with it.
package struct FileStatus: Sendable {
  /// Its kind and who may do what with it, as the system has them.
  package let mode: mode_t
  /// Its length in bytes.
  package let size: Int

  /// What the path leads to, a symbolic link at its end not followed; nil where there is no such thing.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    mode = status.st_mode
    size = Int(status.st_size)
  }

  /// Who may do what with it: 0o600 and the like.
  package var permissions: mode_t { mode & 0o7777 }

  /// Whether it is a folder.
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }

  /// Whether it is a device that reads and writes bytes, as /dev/null is.
  package var isCharacterDevice: Bool { mode & S_IFMT == S_IFCHR }

  /// Whether anybody but its owner may do anything with it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
