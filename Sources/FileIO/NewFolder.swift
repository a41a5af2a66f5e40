// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// Folders that have to be there.
package enum NewFolder {
  /// Makes a folder, and those above it, for this user alone; one that is there stays as it is. Blocks on the disk.
  package static func make(_ path: FilePath) throws(SystemError) {
    guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) != 0, errno != EEXIST else { return }
    let error = SystemError.last
    guard error.code == ENOENT, let above = path.parent else { throw error }
    try make(above)
    guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw .last }
  }
}
