// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

/// What the agent tells everybody, heard by `fermata events --json`.
final class EventLog {
  private let child: Child
  private var lines: [String] = []

  /// Returns when it hears: nothing but an event shows that, so the volume is turned until one comes.
  init(_ stage: AgentStage) throws {
    child = try Child(
      .beside("fermata"), ["events", "--json"], environment: stage.environment, isInteractive: true)
    let deadline = Deadline.patient
    var volume = "0.9"
    while lines.isEmpty {
      try child.check()
      if deadline.hasPassed { throw KitError("no event is heard") }
      stage.playerctl("volume", volume)
      volume = volume == "0.9" ? "1.0" : "0.9"
      read(until: .after(.milliseconds(50)))
    }
  }

  /// The reasons of all changes of the route since `forget`, in order.
  var reasons: [String] {
    read(until: .after(.zero))
    return changes.compactMap { Self.text("reason", in: $0) }
  }

  /// Those that paused.
  var pausingReasons: [String] {
    changes.filter { $0.contains(#""paused":true"#) }.compactMap { Self.text("reason", in: $0) }
  }

  /// What the guard told since `forget`: "player outcome" each.
  var guards: [String] {
    read(until: .after(.zero))
    return guardLines.compactMap { line in
      guard let player = Self.text("player", in: line), let outcome = Self.text("outcome", in: line) else {
        return nil
      }
      return "\(player) \(outcome)"
    }
  }

  private var guardLines: [String] { lines.filter { $0.contains(#""event":"guard""#) } }

  /// Waits until the guard has told so much; less if no more comes in time.
  func wait(forGuards count: Int) { wait { $0.guardLines.count >= count } }

  /// Everything that was said, for a failure's message.
  var text: String { lines.joined(separator: "\n") }

  private var changes: [String] { lines.filter { $0.contains(#""event":"routeChange""#) } }

  func forget() {
    read(until: .after(.zero))
    lines = []
  }

  /// Waits until so many changes of the route have been told; fewer if no more come in time.
  func wait(forChanges count: Int) { wait { $0.changes.count >= count } }

  /// Waits until the state was told to be this.
  func wait(forState state: String) {
    let isMet = wait { log in log.lines.contains { $0.contains(#""event":"state","state":"\#(state)""#) } }
    if !isMet { Issue.record("the state was not told to be \(state); but:\n\(text)") }
  }

  @discardableResult
  private func wait(_ isMet: (EventLog) -> Bool) -> Bool {
    let deadline = Deadline.patient
    while !isMet(self), !deadline.hasPassed, let line = try? child.nextLine(until: deadline) {
      lines.append(line)
    }
    return isMet(self)
  }

  private func read(until deadline: Deadline) {
    while let line = try? child.nextLine(until: deadline) { lines.append(line) }
  }

  /// A text in a line of JSON, by its name.
  static func text(_ name: String, in line: String) -> String? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard let at = parts.firstIndex(of: name[...]), at + 2 < parts.count, parts[at + 1] == ":" else {
      return nil
    }
    return String(parts[at + 2])
  }
}
