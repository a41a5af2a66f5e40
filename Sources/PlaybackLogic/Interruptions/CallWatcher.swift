// SPDX-License-Identifier: MIT
package import AudioModel

/// Sees in the server's world what should silence the music, where no server says so: PipeWire's never does, and
/// PulseAudio's forgets the end.
///
/// A value: worlds go in, and what began and ended since the last one comes out, as the session wants to hear it.
package struct CallWatcher: Sendable {
  /// What is looked for. Another value counts from the next world on.
  package var settings: SessionSettings

  /// For how long a stream that PipeWire shows as silent may still be on its way from one sink to another.
  package static let grace = Duration.milliseconds(100)

  /// Whether the world has to be looked at once more, after `grace`, though nothing else happens in it.
  package private(set) var hasDoubt = false

  private var effects: [Interruption.Source: Effect] = [:]
  /// The streams that go on, and when they were heard last.
  private var heard: [SinkInput.Index: Duration] = [:]
  private var hadRoles = false

  /// A watcher that has seen nothing yet.
  package init(settings: SessionSettings = SessionSettings()) {
    self.settings = settings
  }

  /// Compares a world with the one before. Beginnings come before ends, so that what hands over to something else does not
  /// let a note slip through.
  ///
  /// - Parameters:
  ///   - ownClient: our connection; nothing of it counts.
  ///   - ownInputs: our streams, wherever they are listed.
  ///   - isAfterCork: the world was asked for because the server had corked us.
  ///   - now: never goes back.
  package mutating func handle(
    _ world: AudioWorld, ownClient: AudioClient.Index?, ownInputs: Set<SinkInput.Index> = [],
    isAfterCork: Bool = false, at now: Duration = .zero
  ) -> [SessionEvent] {
    var others = Others(in: world, ownClient: ownClient, ownInputs: ownInputs)
    listen(to: &others, isPipeWire: world.server.kind == .pipeWire, at: now)
    let roles = others.activeRoles
    // A call so short that nobody saw it is over. What the server corks us for may be a role that is not watched.
    if isAfterCork, others.active.allSatisfy({ $0.role == nil }) || world.hasAudible(ownInputs) {
      hadRoles = true
    }
    var effects: [Interruption.Source: Effect] = [:]
    for (role, streams) in roles {
      effects[Interruption.Source(role)] = Effect(policy: settings.policy(for: role), streams: streams)
    }
    if others.isRecording(settings.microphone) { effects[.microphone] = Effect(policy: .pause, streams: []) }
    return change(to: effects.filter { $0.value.policy != .ignore }, hasRoles: !roles.isEmpty)
  }

  /// Leaves those that go on. One that was heard and is linked to nothing is on its way to another sink: WirePlumber takes it off
  /// and puts it back, and until it runs there it looks corked. That is no end of a call.
  private mutating func listen(to others: inout Others, isPipeWire: Bool, at now: Duration) {
    let before = heard
    heard = [:]
    hasDoubt = false
    for input in others.active {
      let last = before[input.index]
      if input.isActive || (input.sink == nil && last != nil) {
        heard[input.index] = now
      } else if isPipeWire, let last, now - last < Self.grace {
        heard[input.index] = last
        hasDoubt = true
      }
    }
    others.active.removeAll { heard[$0.index] == nil }
  }

  /// With the server went everybody's streams.
  package mutating func serverLost() -> [SessionEvent] {
    heard = [:]
    hasDoubt = false
    return change(to: [:], hasRoles: false)
  }

  private mutating func change(
    to now: [Interruption.Source: Effect], hasRoles: Bool
  ) -> [SessionEvent] {
    let before = effects
    let hadRoles = self.hadRoles
    effects = now
    self.hadRoles = hasRoles
    let began = now.filter { before[$0.key].map($0.value.isNews) ?? true }
      .sorted { $0.key.rank < $1.key.rank }
    let ended = before.filter { now[$0.key]?.policy != $0.value.policy }.sorted { $0.key.rank < $1.key.rank }
    return began.map { $0.value.policy == .duck ? .duckBegan($0.key) : .began($0.key) }
      + ended.map { $0.value.policy == .duck ? .duckEnded($0.key) : .ended($0.key) }
      + (hadRoles && !hasRoles ? [.rolesWentQuiet] : [])
  }
}

extension AudioWorld {
  /// One of these streams is not muted. While PulseAudio corks it, it is.
  fileprivate func hasAudible(_ inputs: Set<SinkInput.Index>) -> Bool {
    sinkInputs.contains { inputs.contains($0.index) && !$0.isMuted }
  }
}

/// What a source does to the music, and the streams that it comes from.
private struct Effect {
  let policy: RolePolicy
  let streams: Set<SinkInput.Index>

  /// Another thing, or the same of wholly other streams: a second call whose beginning came with the first one's end, which the user
  /// may have ended for us.
  func isNews(after before: Effect) -> Bool {
    policy != before.policy || (!streams.isEmpty && streams.isDisjoint(with: before.streams))
  }
}

/// Everybody's streams but ours.
private struct Others {
  /// Those that are heard.
  var active: [SinkInput]
  let recordings: [SourceOutput]
  let clients: [AudioClient.Index: AudioClient]

  init(in world: AudioWorld, ownClient: AudioClient.Index?, ownInputs: Set<SinkInput.Index>) {
    active = world.sinkInputs.filter {
      !ownInputs.contains($0.index) && ($0.client == nil || $0.client != ownClient)
    }
    recordings = world.sourceOutputs.filter { $0.client != nil && $0.client != ownClient }
    clients = Dictionary(world.clients.map { ($0.index, $0) }, uniquingKeysWith: { $1 })
  }

  /// The roles with their streams. The server counts a muted stream as silent too.
  var activeRoles: [WatchedRole: Set<SinkInput.Index>] {
    var roles: [WatchedRole: Set<SinkInput.Index>] = [:]
    for input in active where !input.isMuted {
      guard let role = input.role.flatMap({ WatchedRole(rawValue: $0.lowercased()) }) else { continue }
      roles[role, default: []].insert(input.index)
    }
    return roles
  }

  /// Somebody hears a microphone, not what is being played, and not just how loud it is.
  func isRecording(_ policy: MicrophonePolicy) -> Bool {
    guard policy != .ignore else { return false }
    let real = recordings.filter { !$0.isCorked && !$0.hearsMonitor && !$0.isMeter }
    guard policy == .withOutput, !real.isEmpty else { return !real.isEmpty }
    let playing = active.compactMap(\.client)
    let programs = Set(playing.compactMap(program))
    return real.contains { recording in
      guard let client = recording.client else { return false }
      return playing.contains(client) || program(client).map(programs.contains) == true
    }
  }

  /// Programs may use one connection to record and another to play. The number alone does not do: in a sandbox everybody's
  /// are the same.
  private func program(_ client: AudioClient.Index) -> Program? {
    clients[client].flatMap { client in client.processID.map { Program(id: $0, name: client.name) } }
  }

  private struct Program: Hashable {
    let id: Int32
    let name: String
  }
}

extension SinkInput {
  /// Corked, or linked to nothing, it is there and not yet heard.
  fileprivate var isActive: Bool { !isCorked && sink != nil }
}

extension SourceOutput {
  /// PipeWire marks its level meters in the properties.
  fileprivate var isMeter: Bool { isPeakMeter || properties["stream.monitor"] == "true" }
}
