// SPDX-License-Identifier: MIT

/// Says what the evidence means for somebody who wants to hear music, and to have silence at the right time.
package enum Health {
  /// All findings, in the order in which a person would look for a fault.
  package static func findings(of evidence: HealthEvidence) -> [Finding] {
    sound(evidence.sound) + volume(evidence) + bus(evidence.bus) + [settings(evidence.settings)]
      + evidence.folders.map(folder)
  }

  private static func settings(_ answer: HealthEvidence.Answer<String>) -> Finding {
    switch answer {
    case .found(let path): Finding("settings", .fine, path)
    case .missing(let reason):
      Finding("settings", .problem, reason, advice: "no agent starts until that is mended")
    }
  }

  private static func folder(_ folder: HealthEvidence.Folder) -> Finding {
    guard let path = folder.path else {
      return Finding(
        folder.purpose, .problem, "the environment does not say where to keep it", advice: "set HOME")
    }
    guard let trouble = folder.trouble else { return Finding(folder.purpose, .fine, path) }
    return Finding(folder.purpose, .problem, "\(path): \(trouble)", advice: "let yourself write there")
  }
}
