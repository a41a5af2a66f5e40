// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// Creates folders.
package enum NewFolder {
  /// Creates a folder and the missing folders above it, with access for this user only. An existing folder is left
  /// unchanged. Blocks on the disk.
  package static func make(_ path: FilePath) throws(SystemError) {
    guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) != 0, errno != EEXIST else { return }
    let error = SystemError.last
    guard error.code == ENOENT, let above = path.parent else { throw error }
    try make(above)
    guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw .last }
  }
}
