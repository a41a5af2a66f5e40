// SPDX-License-Identifier: MIT

// Findings about the session bus: whether the agent can be reached, and which other players media keys may reach.
extension Health {
  static func bus(_ answer: HealthEvidence.Answer<HealthEvidence.Bus>) -> [Finding] {
    switch answer {
    case .missing(let reason):
      [
        Finding(
          "session bus", .problem, "no answer: \(reason)",
          advice: "run it in a desktop session, or below 'dbus-run-session'")
      ]
    case .found(let bus): [Finding("session bus", .fine, "it answers"), agent(bus)] + store(bus) + keys(bus)
    }
  }

  /// The agent's reason may end with a semicolon and advice. The two are separated here.
  private static func store(_ bus: HealthEvidence.Bus) -> [Finding] {
    guard let reason = bus.notStored else { return [] }
    let cut = reason.lastIndex(of: ";")
    let text = cut.map { String(reason[..<$0]) } ?? reason
    let advice = cut.map { String(reason[$0...].dropFirst().drop { $0 == " " }) }
    return [
      Finding("queue", .problem, "what is done now is not stored: \(text)", advice: advice)
    ]
  }

  private static func agent(_ bus: HealthEvidence.Bus) -> Finding {
    if let process = bus.agent {
      return Finding("agent", .fine, "it runs (process \(process))" + (bus.state.map { ": \($0)" } ?? ""))
    }
    if bus.canStartAgent {
      return Finding("agent", .fine, "it does not run; the first command or key starts it")
    }
    return Finding(
      "agent", .warning, "it does not run, and the bus does not know how to start it",
      advice: "install fermata with 'make install', or run 'fermata agent &'")
  }

  private static func keys(_ bus: HealthEvidence.Bus) -> [Finding] {
    guard bus.agent != nil else { return [] }
    guard bus.hasPlayerName else {
      return [
        Finding(
          "media keys", .problem, "another program has the name org.mpris.MediaPlayer2.fermata",
          advice: "end that program, then the agent")
      ]
    }
    let names = bus.players.map(\.name).joined(separator: ", ")
    if bus.players.isEmpty { return [Finding("media keys", .fine, "no other player would catch them")] }
    let playing = bus.players.filter(\.isPlaying).map(\.name)
    if playing.isEmpty {
      return [
        Finding(
          "media keys", .fine, "the desktop may give them to \(names) too; whoever played last has them")
      ]
    }
    return [
      Finding(
        "media keys", .warning, "\(playing.joined(separator: ", ")) plays and may catch them",
        advice: "pause it there, then play here")
    ]
  }
}
