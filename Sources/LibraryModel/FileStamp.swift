// SPDX-License-Identifier: MIT

/// What a file's status says about its content. As long as the stamp is the same, the file need not be opened again.
///
/// It has no time of the last change of status, because a file that is moved or gets other permissions has the same
/// content as before.
package struct FileStamp: Sendable, Hashable {
  /// The file's size in bytes.
  package var size: Int64
  /// When the file was last written, in nanoseconds since 1970.
  package var modified: Int64
  /// The file's number on its device. It stays the same when the file is moved there.
  package var inode: UInt64
  package var device: UInt64

  package init(size: Int64, modified: Int64, inode: UInt64, device: UInt64) {
    (self.size, self.modified) = (size, modified)
    (self.inode, self.device) = (inode, device)
  }
}
