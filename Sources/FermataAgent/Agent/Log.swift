// SPDX-License-Identifier: MIT
import Glibc

/// What the agent says to whoever keeps its log: one line a decision on standard error, with the priority in front that systemd
/// understands where it is systemd who reads.
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
    hasPrefixes = getenv("JOURNAL_STREAM") != nil || getenv("INVOCATION_ID") != nil
  }

  /// Writes a line. What comes from outside is in quotes by its author, and control characters are replaced.
  public func callAsFunction(_ priority: Priority, _ text: String) {
    guard priority.rawValue <= least.rawValue else { return }
    let prefix = hasPrefixes ? "<\(priority.rawValue)>" : "fermata: "
    let safe = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isControl ? "\u{FFFD}" : $0 }))
    var line = prefix + safe + "\n"
    // A log that nobody can take is no reason to stop.
    line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
