// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

// What this process tells systemd: how the service is doing, through a socket, and its log, through standard error.

/// Tells systemd how the service is doing, if systemd started it and asked to be told: each message is one datagram to the socket
/// that the environment names.
///
/// Owns nothing; any thread may use it. A message that nobody receives is lost: the agent does not stop for that, and waits a second
/// at most.
package struct ServiceNotice {
  private let address: sockaddr_un
  private let size: socklen_t

  /// A notice to the socket that this text names, written as in `NOTIFY_SOCKET`: a path, or `@` and an abstract name, which belongs to
  /// no folder. Nil if the text is neither, or is too long for a socket address.
  package init?(socket: String?) {
    var bytes = Array((socket ?? "").utf8)
    var address = sockaddr_un()
    guard let first = bytes.first, bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path)
    else { return nil }
    switch first {
    case UInt8(ascii: "/"): bytes.append(0)
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    self.address = address
    // The size ends with the name: in an abstract address, zeros after it would be part of the name.
    let room = MemoryLayout.size(ofValue: address.sun_path)
    size = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
  }

  /// A notice to the service manager that started this process; nil if it did not ask for notices.
  package static var ofThisProcess: ServiceNotice? {
    ServiceNotice(socket: Process.environment("NOTIFY_SOCKET"))
  }

  /// Says that the service is ready.
  package func ready() { send("READY=1", patience: 1) }

  /// Says that the service is stopping.
  package func stopping() { send("STOPPING=1", patience: 1) }

  /// Says in one line what the service is doing. Never waits: if a line is lost, the next one replaces it.
  package func status(_ line: String) { send("STATUS=\(line)", patience: 0) }

  private func send(_ text: String, patience seconds: Int) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let flags = Int32(MSG_NOSIGNAL) | (seconds == 0 ? Int32(MSG_DONTWAIT) : 0)
    let bytes = Array(text.utf8)
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe sendto(descriptor, bytes, bytes.count, flags, $0, size)
      }
    }
  }
}

/// Writes lines to a descriptor, and never waits for its reader. A line that a full pipe or a halted terminal does not take is
/// dropped; before the next line that can be written, a line says how many are missing. Safe on any thread.
package final class LineStream: Sendable {
  /// Standard error, where systemd's journal listens.
  package static let standardError = LineStream(STDERR_FILENO)

  /// Whether what is written goes to systemd's journal. There, a line may begin with its priority, such as `<4>` for a warning.
  package let isJournal: Bool
  private let descriptor: Int32
  private let missing = Mutex(0)
  /// If poll(2) says that a pipe can be written, it takes this many bytes without blocking.
  private static let longest = Int(PIPE_BUF)

  /// Writes to this descriptor, which is not closed here: it still belongs to the caller. `journal` is the value of
  /// JOURNAL_STREAM, which names the journal by device and inode. That the variable is set proves nothing: processes whose
  /// standard error goes elsewhere inherit it too.
  package init(_ descriptor: Int32, journal: String? = Process.environment("JOURNAL_STREAM")) {
    self.descriptor = descriptor
    var status = stat()
    isJournal =
      unsafe fstat(descriptor, &status) == 0 && journal == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes `prefix` and `text` as one line. A line that is too long for one write (4,096 bytes) is cut.
  package func write(_ text: String, after prefix: String) {
    missing.withLock { missing in
      guard takesMore else { return missing += 1 }
      if missing > 0 {
        let lines = missing == 1 ? "1 line is" : "\(missing) lines are"
        put(prefix + "\(lines) missing here: nobody read the log")
        missing = 0
        guard takesMore else { return missing = 1 }
      }
      put(prefix + text)
    }
  }

  private func put(_ line: String) {
    var bytes = Array(line.utf8.prefix(Self.longest - 1))
    // No character is cut in two: bytes that go on with one have 10 as their first bits.
    if bytes.count < line.utf8.count, let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
      bytes.removeSubrange(start...)
    }
    bytes.append(UInt8(ascii: "\n"))
    // A log that cannot be written is no reason to stop.
    _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
  }

  private var takesMore: Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&item, 1, 0) == 1 && item.revents & Int16(POLLOUT) != 0
  }
}
