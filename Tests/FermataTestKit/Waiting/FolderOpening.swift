// SPDX-License-Identifier: MIT
import Glibc

/// Notices that any program opens a folder, from its making on.
package final class FolderOpening: Sendable {
  private let descriptor: FileDescriptor

  /// Throws if the folder is not there.
  package init(_ path: String) throws {
    descriptor = try FileDescriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)), "inotify_init1")
    guard unsafe inotify_add_watch(descriptor.number, path, UInt32(IN_OPEN)) >= 0 else {
      throw KitError.system("\(path) cannot be watched", code: errno)
    }
  }

  /// Whether it was opened, or is opened before the deadline. Blocks.
  package func isSeen(until deadline: Deadline = .after(.zero)) -> Bool {
    descriptor.waitReadable(until: deadline)
  }
}
