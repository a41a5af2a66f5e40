// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import Glibc
import HealthModel
import TerminalIO

extension Commands {
  static func doctor(_ options: DataOptions) throws(CommandError) -> ExitCode {
    let settings = settingsEvidence()
    let folders = FolderLook.evidence()
    return try onLoop { () throws(CommandError) in
      let (bus, ownSink) = await BusLook.evidence()
      let sound = await SoundLook.evidence(ownSink: ownSink)
      let evidence = HealthEvidence(sound: sound, bus: bus, folders: folders, settings: settings)
      return try show(Health.findings(of: evidence), json: options.json)
    }
  }

  private static func settingsEvidence() -> HealthEvidence.Answer<String> {
    do throws(CommandError) {
      _ = try settings()
      return .found(settingsPath ?? "all as preset")
    } catch {
      return .missing(error.description)
    }
  }

  private static func show(_ findings: [Finding], json: Bool) throws(CommandError) -> ExitCode {
    if json {
      try write(JSONWriter.text(FindingTexts.json(findings)) + "\n")
    } else {
      let palette = palette(of: STDOUT_FILENO)
      let width = Terminal.columns(of: STDOUT_FILENO)
      try write(FindingTexts.lines(findings, width: width).map { $0.rendered(palette) + "\n" }.joined())
    }
    return findings.contains { $0.level == .problem } ? .refused : .done
  }
}
