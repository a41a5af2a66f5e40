// SPDX-License-Identifier: MIT
import FileIO
import Glibc
import MediaModel

/// The kernel's reports on folders: one queue of them.
///
/// Owns the descriptor. One thread at a time; no call waits.
struct Inotify: ~Copyable {
  /// What happened in a watched folder, or to it.
  struct Event {
    /// The watch that saw it; -1 for the loss of events.
    var watch: Int32
    /// What it was, in the kernel's bits.
    var bits: UInt32
    /// What it happened to; empty for the folder itself.
    var name: [UInt8]

    /// The queue was full, and events are missing.
    var isLoss: Bool { bits & UInt32(IN_Q_OVERFLOW) != 0 }
    /// The folder is no longer where it was, or no longer watched.
    var isOfFolder: Bool { bits & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 }
  }

  /// Whatever changes what a reader of the folder would find; a file that is being written is told when it is closed.
  static let contents = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_DELETE) | names
  /// What brings a folder into being, or takes the watched one away.
  static let arrivals = UInt32(IN_CREATE) | names
  private static let names = UInt32(IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Readable while there are events; -1 where the system has no queue left for this user.
  let descriptor: Int32

  /// A queue without watches. Sets `errno` where there is none.
  init() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches a folder, and returns the number of the watch: the same one for the same folder, whose bits these then
  /// are; or nothing, with `errno` set.
  func watch(_ folder: FilePath, _ bits: UInt32) -> Int32? {
    let number = unsafe folder.withCString {
      unsafe inotify_add_watch(descriptor, $0, bits | UInt32(IN_ONLYDIR))
    }
    return number >= 0 ? number : nil
  }

  /// Ends a watch. One that the kernel has ended already is no error.
  func end(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// What has happened since the last call, up to a bound: whoever writes without a pause must not keep the reader.
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
      // The kernel fills a name up with zeros.
      let name = unsafe Array(bytes[(start + header)..<end].prefix { $0 != 0 })
      events.append(Event(watch: event.wd, bits: event.mask, name: name))
      start = end
    }
  }
}
