// SPDX-License-Identifier: MIT
import Glibc

/// What the agent says to whoever keeps its log: one line a decision on standard error, with the priority in front that systemd's
/// journal understands where it is the journal that reads.
public struct Log: Sendable {
  /// How much a line matters, by systemd's numbers.
  public enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
  }

  /// Lines that matter less are not written.
  public let least: Priority
  private let hasPrefixes: Bool

  /// A log; `isVerbose` has the evidence written too.
  public init(isVerbose: Bool = false) {
    least = isVerbose ? .debug : .info
    hasPrefixes = Self.isJournal(STDERR_FILENO, getenv("JOURNAL_STREAM").map { String(cString: $0) })
  }

  /// Writes a line. What comes from outside is in quotes by its author, and control characters are replaced.
  public func callAsFunction(_ priority: Priority, _ text: @autoclosure () -> String) {
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
    var line = prefix + safe + "\n"
    // A log that nobody can take is no reason to stop.
    line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
