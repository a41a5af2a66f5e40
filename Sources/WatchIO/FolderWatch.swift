// SPDX-License-Identifier: MIT
package import AgentLoop
import FileIO
import Glibc
package import MediaModel

/// Tells of changes in a folder until it is let go of.
///
/// The folder need not be there: then the nearest one above it is watched until it appears. A folder that goes away and is
/// made again is followed; that one further up is renamed while it is there is not noticed. A symbolic link is
/// followed to the folder behind it. While nothing changes this costs nothing.
@AgentLoop
package final class FolderWatch {
  /// Why nothing is told, where that is so: the system's limit of watches.
  package private(set) var trouble: String?

  /// Whether the folder is there, as far as its changes are told.
  package var isThere: Bool { place?.height == 0 }

  /// What is watched in the folder's stead.
  private struct Place {
    /// The kernel's number for the watch.
    var number: Int32
    /// How many folders above the wanted one it is; 0 is itself.
    var height: Int
  }

  private let handler: @AgentLoop () -> Void
  /// The folder, the one that holds it, and so on to the root.
  private let folders: [FilePath]
  private let inotify: Inotify
  private var place: Place?
  private var watch: LoopWatch?

  /// Calls `handler` on the loop, once for all that a turn brings, when something in the folder at this absolute path
  /// appeared, was written and closed, was renamed or went, or the folder itself did. It may let go of the watch.
  package init(_ path: FilePath, handler: @escaping @AgentLoop () -> Void) {
    self.handler = handler
    folders = Self.upwards(from: path)
    inotify = Inotify()
    guard inotify.descriptor >= 0 else {
      trouble = Self.text(errno)
      return
    }
    place = look()
    watch = LoopWatch(descriptor: inotify.descriptor) { [weak self] _ in self?.read() }
  }

  // The loop must have forgotten the descriptor before it is closed.
  isolated deinit { watch = nil }

  private func read() {
    guard inotify.events().contains(where: isNews) else { return }
    let wasThere = isThere
    settle()
    // The reader finds what happened before the new watch began, and the watch the rest.
    if wasThere || isThere { handler() }
  }

  private func isNews(_ event: Inotify.Event) -> Bool {
    guard !event.isLoss, let place else { return true }
    guard event.watch == place.number else { return false }
    return place.height == 0 || event.isOfFolder || event.name == awaited(at: place.height)
  }

  /// The name in a folder that leads on to the wanted one.
  private func awaited(at height: Int) -> [UInt8] {
    Array(folders[height - 1].nameBytes)
  }

  /// Sees to it that what is watched is what the path leads to now.
  private func settle() {
    let old = place
    place = look()
    if let old, old.number != place?.number { inotify.end(old.number) }
  }

  /// Watches the folder, or else the nearest above it that is there.
  private func look() -> Place? {
    trouble = nil
    guard var place = folders.indices.lazy.compactMap(watch).first else { return nil }
    // What has come into being below it before it was watched.
    while place.height > 0, let nearer = watch(place.height - 1), nearer.number != place.number {
      inotify.end(place.number)
      place = nearer
    }
    return place
  }

  private func watch(_ height: Int) -> Place? {
    let bits = height == 0 ? Inotify.contents : Inotify.arrivals
    if let number = inotify.watch(folders[height], bits) { return Place(number: number, height: height) }
    if errno == ENOSPC || errno == ENOMEM { trouble = Self.text(errno) }
    return nil
  }

  private static func text(_ code: Int32) -> String {
    switch code {
    case EMFILE, ENFILE, ENOSPC:
      "no more folders can be watched; raise fs.inotify.max_user_watches and max_user_instances"
    default: unsafe String(cString: strerror(code))
    }
  }

  private static func upwards(from path: FilePath) -> [FilePath] {
    Array(sequence(first: path.tidied, next: \.parent))
  }
}
