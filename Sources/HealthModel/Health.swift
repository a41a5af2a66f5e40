// SPDX-License-Identifier: MIT

/// What the evidence means for somebody who wants to hear music, and silence at the right time.
package enum Health {
  /// One finding a thing, in the order in which one would look.
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
