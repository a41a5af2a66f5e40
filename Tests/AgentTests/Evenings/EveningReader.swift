// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

/// Reads what `fermata events` writes for a person while an evening goes on.
final class EveningReader {
  private let stage: AgentStage
  private let child: Child
  private var lines: [String] = []

  /// Returns when it hears: nothing but an event shows that, so the volume is turned until one comes.
  init(_ stage: AgentStage) throws {
    self.stage = stage
    child = try Child(.beside("fermata"), ["events"], environment: stage.environment, isInteractive: true)
    let deadline = Deadline.patient
    var level = 90
    while (try? child.nextLine(until: .after(.milliseconds(50)))) == nil {
      if deadline.hasPassed { throw KitError("no event is told: \(child.standardError)") }
      level = level == 90 ? 91 : 90
      try stage.fermata("volume", "\(level)%")
    }
    // The first line may have been about something else, while the volume was still full: setting it to that again would tell of nothing.
    try stage.fermata("volume", "92%")
    try hearOut(level: 100)
    lines = []
  }

  /// Reads on until a line has these words.
  func wait(for words: String) throws {
    let deadline = Deadline.patient
    while true {
      guard let line = try? child.nextLine(until: deadline) else {
        throw KitError("nothing was told of '\(words)', but:\n\(lines.joined(separator: "\n"))")
      }
      lines.append(line)
      if line.contains(words) { return }
    }
  }

  /// What was told up to now, without the times of day and with the name "/music" for the folder of the test. That tags were read is
  /// told when another process has done it, which may be before or after anything else: it is left out.
  func text() throws -> String {
    try hearOut(level: 99)
    let told = lines.dropLast().map { $0.dropFirst("20:15:00  ".count) }.filter {
      !$0.hasPrefix("tags read: ")
    }
    return told.map { "\($0)\n" }.joined().replacing(stage.folder.path, "/music")
  }

  /// Reads on until this order is told: whatever was told before stands before it.
  private func hearOut(level: Int) throws {
    try stage.fermata("volume", "\(level)%")
    try wait(for: "volume \(level)%")
  }
}

extension String {
  /// The text with each occurrence of a part replaced.
  func replacing(_ part: String, _ other: String) -> String {
    var (rest, text) = (self[...], "")
    while let range = rest.firstRange(of: part) {
      text += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return text + rest
  }
}
