// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// The agent's log: one line for each decision, on standard error. If that leads to systemd's journal, each line starts with the
/// priority prefix that the journal understands. Any thread.
package struct Log: Sendable {
  /// How much a line matters, by systemd's numbers.
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
  }

  /// The least important priority that is written.
  package let least: Priority
  private let hasPrefixes: Bool
  private let stream: LogStream

  /// A log on standard error. `isVerbose` also writes debug lines: the evidence from which decisions were made.
  package init(isVerbose: Bool = false) { self.init(isVerbose: isVerbose, to: STDERR_FILENO) }

  init(isVerbose: Bool, to descriptor: Int32) {
    least = isVerbose ? .debug : .info
    hasPrefixes = Self.isJournal(descriptor, getenv("JOURNAL_STREAM").map { String(cString: $0) })
    stream = LogStream(descriptor)
  }

  /// Writes a line. The caller puts text from outside in quotes; control characters are replaced here.
  package func callAsFunction(_ priority: Priority, _ text: @autoclosure () -> String) {
    guard priority.rawValue <= least.rawValue else { return }
    write(priority, text())
  }

  /// Whether this descriptor leads to the journal. `named` is the value of JOURNAL_STREAM, which names the journal by device and
  /// inode. That the variable is set proves nothing: processes whose standard error goes elsewhere inherit it too.
  static func isJournal(_ descriptor: Int32, _ named: String?) -> Bool {
    var status = stat()
    guard let named, fstat(descriptor, &status) == 0 else { return false }
    return named == "\(status.st_dev):\(status.st_ino)"
  }

  private func write(_ priority: Priority, _ text: String) {
    let prefix = hasPrefixes ? "<\(priority.rawValue)>" : "fermata: "
    let safe = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isControl ? "\u{FFFD}" : $0 }))
    stream.write(safe, after: prefix)
  }
}

/// Writes lines to a descriptor, and never waits for its reader. A line that a full pipe or a halted terminal does not take is
/// dropped; before the next line that can be written, a line says how many are missing. Any thread.
private final class LogStream: Sendable {
  private let descriptor: Int32
  private let missing = Mutex(0)
  /// If poll(2) says that a pipe can be written, it takes this many bytes without blocking.
  private static let longest = Int(PIPE_BUF)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ text: String, after prefix: String) {
    missing.withLock { missing in
      guard takesMore else { return missing += 1 }
      if missing > 0 {
        put(prefix + "\(missing) lines are missing here: nobody read the log")
        missing = 0
        guard takesMore else { return missing = 1 }
      }
      put(prefix + text)
    }
  }

  private func put(_ line: String) {
    var bytes = Array(line.utf8.prefix(Self.longest - 1))
    bytes.append(UInt8(ascii: "\n"))
    // A log that cannot be written is no reason to stop.
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  private var takesMore: Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&item, 1, 0) == 1 && item.revents & Int16(POLLOUT) != 0
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
