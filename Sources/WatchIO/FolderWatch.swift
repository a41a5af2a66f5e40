// SPDX-License-Identifier: MIT
package import AgentLoop
import Glibc
package import MediaModel

/// Watches one folder and calls a handler when something in it changes. The watch ends with the last reference to this object. Only the loop's thread
/// may use it.
///
/// The folder need not exist: then the nearest existing folder above it is watched until it appears. If the folder is removed and created again, the
/// new one is watched. If a folder further up is renamed while the watched folder exists, that is not noticed. A symbolic link is followed to its
/// folder. While nothing changes, this costs nothing.
///
/// The system limits how many folders all programs of a user can watch. If the limit is reached, the watch tries again, at first each second and in
/// the end each minute. When it succeeds it reports a change, because the folder may have changed in the meantime.
@AgentLoop
package final class FolderWatch {
  /// Why changes are not reported, for example because the system's limit of watches is reached; nil if they are reported.
  package private(set) var trouble: String?

  /// Whether the folder itself is watched, which means that it exists.
  package var isThere: Bool { place?.height == 0 }

  /// The folder that is watched at present: the wanted one, or one above it.
  private struct Place {
    /// The kernel's number for the watch.
    var number: Int32
    /// How many levels this folder is above the wanted one; 0 is the wanted folder itself.
    var height: Int
  }

  private let handler: @AgentLoop () -> Void
  /// The folder that the owner wants to watch, its parent, and so on up to the root.
  private let folders: [FilePath]
  /// The only name in the folder that matters; nil if all do.
  private let only: FilePath?
  private var inotify = Inotify()
  private var place: Place?
  private var watch: LoopWatch?
  private var retry: LoopTimer?
  private var pause = firstPause

  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(60)

  /// Watches the folder at this absolute path. `handler` is called on the loop when something in the folder appeared,
  /// was written and closed, was renamed or was removed, or when this happened to the folder itself. All events read in
  /// one turn of the loop make one call. The handler may release the watch. With `only`, all of this counts for this name alone, and not what is written
  /// to it.
  package init(_ path: FilePath, only: FilePath? = nil, handler: @escaping @AgentLoop () -> Void) {
    (self.handler, self.only) = (handler, only)
    folders = Self.upwards(from: path)
    begin()
  }

  isolated deinit {
    retry?.cancel()
    // The loop must stop watching the descriptor before it is closed.
    watch = nil
  }

  private func begin() {
    guard inotify.descriptor >= 0 else {
      trouble = Self.text(errno)
      return tryLater()
    }
    watch = LoopWatch(descriptor: inotify.descriptor) { [weak self] _ in self?.read() }
    settle()
  }

  private func tryLater() {
    retry?.cancel()
    retry = AgentLoop.after(pause) { [weak self] in self?.tryAgain() }
    pause = min(pause * 2, Self.longestPause)
  }

  private func tryAgain() {
    if inotify.descriptor >= 0 {
      settle()
    } else {
      inotify = Inotify()
      begin()
    }
    guard trouble == nil else { return }
    pause = Self.firstPause
    handler()
  }

  private func read() {
    guard inotify.events().contains(where: isNews) else { return }
    let wasThere = isThere
    settle()
    // The handler reads the folder and so finds what happened before the new watch
    // began. The watch reports whatever happens after that.
    if wasThere || isThere { handler() }
  }

  private func isNews(_ event: Inotify.Event) -> Bool {
    guard !event.isLoss, let place else { return true }
    guard event.watch == place.number else { return false }
    let awaited = place.height == 0 ? only.map { Array($0.nameBytes) } : awaited(at: place.height)
    return event.isOfFolder || awaited == nil || event.name == awaited
  }

  /// The name that must appear in the folder at this height, so that the wanted folder can be reached.
  private func awaited(at height: Int) -> [UInt8] {
    Array(folders[height - 1].nameBytes)
  }

  /// Moves the watch to the wanted folder, or to the nearest existing one above it.
  private func settle() {
    let old = place
    place = look()
    if let old, old.number != place?.number { inotify.end(old.number) }
    if trouble != nil { tryLater() }
  }

  /// Watches the wanted folder, or else the nearest existing one above it. Nil if none of them can be watched; `trouble` may say why.
  private func look() -> Place? {
    trouble = nil
    guard var place = folders.indices.lazy.compactMap(watch).first else { return nil }
    // A folder below may have been made before the watch began; then watch that one instead.
    while place.height > 0, let nearer = watch(place.height - 1), nearer.number != place.number {
      inotify.end(place.number)
      place = nearer
    }
    return place
  }

  private func watch(_ height: Int) -> Place? {
    let bits = height == 0 && only == nil ? Inotify.contents | Inotify.rights : Inotify.arrivals
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
