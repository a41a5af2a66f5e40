// SPDX-License-Identifier: MIT
import AgentLoop

/// The agent's log: one line for each decision, on standard error. If that leads to systemd's journal, each line starts with the
/// priority prefix that the journal understands. Safe on any thread.
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
  private let stream: LineStream

  /// A log on standard error. `isVerbose` also writes debug lines: the evidence from which decisions were made.
  package init(isVerbose: Bool = false) { self.init(isVerbose: isVerbose, to: .standardError) }

  init(isVerbose: Bool, to stream: LineStream) { self.init(from: isVerbose ? .debug : .info, to: stream) }

  private init(from least: Priority, to stream: LineStream) { (self.least, self.stream) = (least, stream) }

  /// A log that writes only errors, for a process whose standard error belongs to another program.
  package static let quiet = Log(from: .error, to: .standardError)

  /// Writes a line. The caller puts text from outside, such as a file's name, in quotes; control characters are replaced here.
  package func callAsFunction(_ priority: Priority, _ text: @autoclosure () -> String) {
    guard priority.rawValue <= least.rawValue else { return }
    write(priority, text())
  }

  private func write(_ priority: Priority, _ text: String) {
    let prefix = stream.isJournal ? "<\(priority.rawValue)>" : "fermata: "
    let safe = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isControl ? "\u{FFFD}" : $0 }))
    stream.write(safe, after: prefix)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
