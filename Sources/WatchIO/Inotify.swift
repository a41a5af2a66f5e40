// SPDX-License-Identifier: MIT
package import AgentLoop
import FileIO
import Glibc
package import MediaModel
import Synchronization

/// One inotify instance: a queue of the kernel's events about folders.
///
/// Owns the descriptor and closes it in `deinit`. Only one thread at a time may use it; no call blocks.
struct Inotify: ~Copyable, Sendable {
  /// What happened in a watched folder, or to it.
  struct Event {
    /// The number of the watch that reported the event; -1 if the event says that other events were lost.
    var watch: Int32
    /// What happened, as the kernel's bits.
    var bits: UInt32
    /// The name of the file or folder that changed inside the watched folder; empty if the event is about the watched folder itself.
    var name: [UInt8]

    /// Whether the kernel's queue was full, so that events were lost.
    var isLoss: Bool { bits & UInt32(IN_Q_OVERFLOW) != 0 }
    /// Whether the watched folder is no longer where it was, or is no longer watched.
    var isOfFolder: Bool { bits & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 }
  }

  /// The events that change what a reader of the folder would find. A file that is written is reported when it is made and when it is closed.
  static let contents = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_DELETE) | names
  /// The events in which a file becomes readable, or is so no longer: its owner or its mode has changed.
  static let rights = UInt32(IN_ATTRIB)
  /// The events in which something appears in the watched folder or leaves it, or in which the watched folder itself goes away.
  static let arrivals = UInt32(IN_CREATE) | names
  private static let names = UInt32(IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)

  /// The descriptor of the queue, readable while there are events; -1 if the system refused to make another queue for this user.
  let descriptor: Int32

  /// A queue without watches. If the system refuses, `descriptor` is -1 and `errno` is set.
  init() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches a folder and returns the number of the watch, or nil with `errno` set. A folder that is watched already
  /// keeps its number, and these bits replace its earlier ones.
  func watch(_ folder: FilePath, _ bits: UInt32) -> Int32? {
    let number = unsafe folder.withCString {
      unsafe inotify_add_watch(descriptor, $0, bits | UInt32(IN_ONLYDIR))
    }
    return number >= 0 ? number : nil
  }

  /// Ends a watch. If the kernel has ended it already, nothing happens.
  func end(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// Takes the events that have come since the last call. Their number is limited, so that a program that writes without a
  /// pause cannot hold up the loop.
  func events() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    for _ in 0..<64 {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      unsafe buffer.withUnsafeBytes {
        unsafe Self.parse(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events)
      }
    }
    return events
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
    let header = MemoryLayout<inotify_event>.size
    var start = 0
    while start + header <= bytes.count {
      let event = unsafe bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      let end = start + header + Int(event.len)
      guard end <= bytes.count else { return }
      // The kernel pads a name with zeros.
      let name = unsafe Array(bytes[(start + header)..<end].prefix { $0 != 0 })
      events.append(Event(watch: event.wd, bits: event.mask, name: name))
      start = end
    }
  }
}

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
