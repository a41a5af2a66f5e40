// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// What the agent says to whoever keeps its log: one line a decision on standard error, with the priority in front that systemd's
/// journal understands where it is the journal that reads.
package struct Log: Sendable {
  /// How much a line matters, by systemd's numbers.
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
  }

  /// Lines that matter less are not written.
  package let least: Priority
  private let hasPrefixes: Bool
  private let stream: LogStream

  /// A log; `isVerbose` has the evidence written too.
  package init(isVerbose: Bool = false) { self.init(isVerbose: isVerbose, to: STDERR_FILENO) }

  init(isVerbose: Bool, to descriptor: Int32) {
    least = isVerbose ? .debug : .info
    hasPrefixes = Self.isJournal(descriptor, getenv("JOURNAL_STREAM").map { String(cString: $0) })
    stream = LogStream(descriptor)
  }

  /// Writes a line. What comes from outside is in quotes by its author, and control characters are replaced.
  package func callAsFunction(_ priority: Priority, _ text: @autoclosure () -> String) {
    guard priority.rawValue <= least.rawValue else { return }
    write(priority, text())
  }

  /// Whether this descriptor leads to the journal, which the environment of its services names by device and file: the variable is
  /// inherited also by those whose standard error goes elsewhere.
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

/// Where the lines go. Nobody waits for whoever reads them: what a full pipe or a halted terminal does not take is left out, and the
/// next line that is taken says how many are missing.
private final class LogStream: Sendable {
  private let descriptor: Int32
  private let missing = Mutex(0)
  /// A pipe that can be written at all takes as much without waiting.
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
    // A log that nobody can take is no reason to stop.
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
