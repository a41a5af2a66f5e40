// SPDX-License-Identifier: MIT
import FileIO
import Glibc
import MediaModel

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
