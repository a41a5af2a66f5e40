// SPDX-License-Identifier: MIT
package import AgentLoop
import Glibc
package import MediaModel
import Synchronization

/// Watches any number of folders and calls a handler when something in one of them changes. The handler is not told what, because its owner scans the
/// folders anyway. The watches end with the last reference to this object.
///
/// It is made and read on the loop. `watch` may be called on any thread, because a disk may take a while to find a folder. While nothing changes,
/// this costs only the kernel's memory, about a kilobyte for each folder.
@AgentLoop
package final class FolderTreeWatch {
  private let handler: @AgentLoop () -> Void
  private nonisolated let inotify: Inotify
  private nonisolated let failure: Mutex<String?>
  private var reading: LoopWatch?
  /// Whether a watched folder was moved. It and those below it are watched wherever they are now, so whoever does not want that needs a new watch.
  package private(set) var hasMovedFolder = false

  /// A watch without folders. `handler` is called on the loop, once for all that was read in one turn: when a file in a watched folder
  /// was closed after writing, or when something was made, renamed or removed there. A file that is written is so told of twice; a link to a
  /// file or a folder is only made, and never closed.
  package init(handler: @escaping @AgentLoop () -> Void) {
    self.handler = handler
    inotify = Inotify()
    failure = Mutex(inotify.descriptor >= 0 ? nil : Self.limit)
    guard inotify.descriptor >= 0 else { return }
    reading = LoopWatch(descriptor: inotify.descriptor) { [weak self] _ in self?.read() }
  }

  // The loop must stop watching the descriptor before it is closed.
  isolated deinit { reading = nil }

  /// Why changes in some folders are not reported; nil if they are reported in all.
  package nonisolated var trouble: String? { failure.withLock { $0 } }

  /// Watches a folder too. Does nothing if it is watched already. If it cannot be watched because a limit is reached, `trouble` says so
  /// from then on. Blocks on the disk. Safe on any thread.
  package nonisolated func watch(_ folder: FilePath) {
    // A change of attributes may be a permission that was given.
    let wanted = Inotify.contents | Inotify.rights
    guard inotify.descriptor >= 0, inotify.watch(folder, wanted) == nil else { return }
    let code = errno
    if code == ENOSPC || code == ENOMEM { failure.withLock { $0 = Self.limit } }
  }

  private nonisolated static let limit =
    "no more folders can be watched; raise fs.inotify.max_user_watches and max_user_instances"

  private func read() {
    let events = inotify.events()
    if events.contains(where: { $0.bits & UInt32(IN_MOVE_SELF) != 0 }) { hasMovedFolder = true }
    if events.contains(where: Self.isNews) { handler() }
  }

  /// When a watch ends because its folder is gone, the watch on the folder above has reported that already.
  private static func isNews(_ event: Inotify.Event) -> Bool {
    event.isLoss || event.bits & UInt32(IN_IGNORED) == 0
  }
}
