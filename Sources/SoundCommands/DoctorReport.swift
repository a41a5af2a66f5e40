// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FermataCommands
import HealthModel
import SettingsModel

extension DoctorCommand {
  /// Collects the evidence and shows the findings.
  func examine() throws(CommandError) -> ExitCode {
    let settings = Self.settingsEvidence()
    let folders = FolderLook.evidence()
    let reader = ReaderLook.evidence()
    let decoder = DecoderLook.evidence()
    return try onLoop { () throws(CommandError) in
      let (bus, ownSink) = await BusLook.evidence()
      let sound = await SoundLook.evidence(ownSink: ownSink)
      let guarding = await GuardLook.evidence(sound, settings: SettingsCommands.settingsOrPresets().guarding)
      let evidence = HealthEvidence(
        sound: sound, bus: bus, reader: reader, decoder: decoder, folders: folders, settings: settings,
        guarding: guarding)
      return try show(Health.findings(of: evidence))
    }
  }

  private static func settingsEvidence() -> [HealthEvidence.Answer<String>] {
    do throws(CommandError) {
      let errors = try SettingsCommands.errors()
      guard errors.isEmpty else { return errors.map { .missing($0.description) } }
      return [.found(SettingsCommands.path ?? "all as preset")]
    } catch {
      return [.missing(error.description)]
    }
  }

  private func show(_ findings: [Finding]) throws(CommandError) -> ExitCode {
    try Printer.write(FindingTexts.json(findings), if: json) { FindingTexts.lines(findings, width: $0) }
    return findings.contains { $0.level == .problem } ? .refused : .done
  }
}

/// The doctor's findings as text for a person and as JSON.
private enum FindingTexts {
  /// One line for each finding, wrapped to the width, and the advice below it if there is any.
  static func lines(_ findings: [Finding], width: Int?) -> [StyledText] {
    let topics = findings.map { TerminalText.width($0.topic) }.max() ?? 0
    return findings.flatMap { finding in
      let gap = String(repeating: " ", count: topics - TerminalText.width(finding.topic))
      let head = sign(of: finding.level) + StyledText(" \(finding.topic)\(gap)  ", .bold)
      let indent = head.width
      let room = width.map { max(20, $0 - indent) }
      let style: Style = finding.level == .fine ? .dim : .plain
      var lines = wrapped(finding.text, to: room).enumerated().map { index, line in
        (index == 0 ? head : blank(indent)) + StyledText(line, style)
      }
      if let advice = finding.advice {
        for (index, line) in wrapped(advice, to: room.map { $0 - 2 }).enumerated() {
          lines.append(blank(indent) + StyledText((index == 0 ? "→ " : "  ") + line))
        }
      }
      return lines
    }
  }

  static func json(_ findings: [Finding]) -> JSONValue {
    .object(present: [
      "findings": .array(
        findings.map { finding in
          .object(present: [
            "topic": .string(finding.topic), "level": .string(finding.level.rawValue),
            "text": .string(finding.text), "advice": finding.advice.map(JSONValue.string),
          ])
        })
    ])
  }

  private static func sign(of level: Finding.Level) -> StyledText {
    switch level {
    case .fine: StyledText("✓", Style(colour: .green))
    case .warning: StyledText("!", Style(bold: true, colour: .yellow))
    case .problem: StyledText("✗", Style(bold: true, colour: .red))
    }
  }

  /// Makes the text safe for a terminal, because it may contain names from other programs, and wraps it.
  private static func wrapped(_ text: String, to width: Int?) -> [String] {
    let safe = Printer.shown(text)
    guard let width else { return [safe] }
    return Wrap.lines(of: safe, width: width)
  }

  private static func blank(_ columns: Int) -> StyledText {
    StyledText(String(repeating: " ", count: columns))
  }
}
