// SPDX-License-Identifier: MIT

// Orders from people and programs: play, pause and stop.
extension Session {
  mutating func play(by sender: Sender) {
    // A program that paused for reasons of its own may undo its own Pause and nothing else.
    if let source = sender.source { return end(source) }
    awaited = nil
    guard hasOutput else {
      outputs.append(.noOutput)
      return
    }
    intent = .playing
    let yielding = holds.values.filter(\.source.yieldsToUser)
    if yielding.contains(where: \.isKnown) { overrule(yielding.map(\.source)) } else { introduce(yielding) }
    if isMutedByServer, holds.keys.allSatisfy({ !$0.yieldsToUser }) { unmute() }
    if let first = holds.keys.min(by: { $0.rank < $1.rank }), first != .route {
      outputs.append(.waiting(for: first))
    }
  }

  /// Ends these interruptions for us: the user knows of one of them and wants music all the same. Those that still go
  /// on are remembered, so that they do not interrupt again.
  private mutating func overrule(_ sources: [Interruption.Source]) {
    for source in sources.sorted(by: { $0.rank < $1.rank }) {
      end(source)
      if source.isWatched { overridden.insert(source) }
    }
  }

  private mutating func introduce(_ interruptions: [Interruption]) {
    for interruption in interruptions { holds[interruption.source]?.isKnown = true }
  }

  mutating func pause(by sender: Sender) {
    if sender != .wirePlumber { awaited = nil }
    guard let source = sender.source else {
      if intent != .stopped { intent = .paused(by: .user) }
      return
    }
    guard intent == .playing else { return }
    if case .tool(let name) = source, holds[source] == nil, toolCount >= Self.toolLimit {
      intent = .paused(by: .tool(name))
    } else {
      begin(source)
    }
  }

  private var toolCount: Int {
    holds.keys.count { if case .tool = $0 { true } else { false } }
  }

  mutating func stop() {
    awaited = nil
    intent = .stopped
  }

  /// Pauses the music until somebody orders Play. The return of a lost device no longer starts it.
  mutating func rest(because pauser: Intent.Pauser) {
    awaited = nil
    if intent == .playing { intent = .paused(by: pauser) }
  }
}
