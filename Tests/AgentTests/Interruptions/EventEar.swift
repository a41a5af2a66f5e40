// SPDX-License-Identifier: MIT
import FermataTestKit

/// Hears what `fermata events --json` says, line by line, so that a test waits for what is told and for no time.
final class EventEar {
  /// What was told, in short, since it was asked for last: "began call wasPlaying", "ended call resumes".
  private(set) var interruptions: [String] = []
  /// The reasons of the changes of route.
  private(set) var reasons: [String] = []
  /// Those of the changes that paused the music.
  private(set) var pausingReasons: [String] = []
  /// The states, each with its reason: "playing", "paused user".
  private(set) var states: [String] = []
  private let child: Child
  private var lines: [String] = []

  /// Listens to the agent of an environment. It listens when it returns.
  init(_ environment: [String: String]) throws {
    child = try Child(
      .beside("fermata"), ["events", "--json"], environment: environment, isInteractive: true)
    // It does not say when it listens: so something is told until it was heard.
    let deadline = Deadline.patient
    var isOn = false
    repeat {
      if deadline.hasPassed { throw KitError("nothing is heard of events: \(child.standardError)") }
      isOn.toggle()
      try Child.run(.beside("fermata"), ["shuffle", isOn ? "songs" : "off"], environment: environment)
    } while (try? child.nextLine(until: .after(.milliseconds(200)))) == nil
    if isOn { try Child.run(.beside("fermata"), ["shuffle", "off"], environment: environment) }
  }

  /// Reads on until a line has all of these words. Throws with all that was told when none comes in time.
  @discardableResult
  func wait(for words: String..., within patience: Duration = .patience) throws -> String {
    guard let line = line(with: words, until: .after(patience)) else {
      throw KitError("nothing was told of \(words); but:\n\(lines.joined(separator: "\n"))")
    }
    return line
  }

  /// Whether a line with all of these words comes in time.
  func hears(_ words: String..., within patience: Duration) -> Bool {
    line(with: words, until: .after(patience)) != nil
  }

  private func line(with words: [String], until deadline: Deadline) -> String? {
    while let line = try? child.nextLine(until: deadline) {
      take(line)
      if words.allSatisfy({ $0.isEmpty || line.contains($0) }) { return line }
    }
    return nil
  }

  /// Reads on until the state is this one.
  func wait(forState state: String, why: String? = nil) throws {
    let reason = why.map { "\"why\":\"\($0)\"" } ?? ""
    try wait(for: "\"event\":\"state\"", "\"state\":\"\(state)\"", reason)
  }

  /// Reads on until an interruption ended.
  func wait(forEndOf source: String) throws {
    try wait(for: "\"phase\":\"ended\"", "\"\(source)\"")
  }

  /// Reads on until an interruption began.
  func wait(forBeginningOf source: String) throws {
    try wait(for: "\"phase\":\"began\"", "\"source\":\"\(source)\"")
  }

  /// Forgets what was told.
  func forget() {
    interruptions = []
    reasons = []
    pausingReasons = []
    states = []
  }

  private func take(_ line: String) {
    lines.append(line)
    if line.contains("\"event\":\"routeChange\""), let reason = Self.value("reason", line) {
      reasons.append(reason)
      if line.contains("\"paused\":true") { pausingReasons.append(reason) }
    }
    if line.contains("\"event\":\"state\""), let state = Self.value("state", line) {
      states.append(state + (Self.value("why", line).map { " \($0)" } ?? ""))
    }
    guard line.contains("\"event\":\"interruption\""), let source = Self.value("source", line) else { return }
    let begins = line.contains("\"phase\":\"began\"")
    let flag = line.contains(begins ? "\"wasPlaying\":true" : "\"shouldResume\":true")
    let note = begins ? " wasPlaying" : " resumes"
    interruptions.append((begins ? "began " : "ended ") + source + (flag ? note : ""))
  }

  private static func value(_ name: String, _ line: String) -> String? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    // A value may be spelled as its neighbour's name.
    let key = parts.indices.first { $0 + 2 < parts.count && parts[$0] == name && parts[$0 + 1] == ":" }
    return key.map { String(parts[$0 + 2]) }
  }
}
