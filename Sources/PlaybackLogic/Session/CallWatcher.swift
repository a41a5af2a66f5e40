// SPDX-License-Identifier: MIT
public import AudioModel

/// Sees in the server's world what should silence the music, where no server says so: PipeWire's never does, and
/// PulseAudio's forgets the end.
///
/// A value: worlds go in, and what began and ended since the last one comes out, as the session wants to hear it.
public struct CallWatcher: Sendable {
  /// What is looked for. Another value counts from the next world on.
  public var settings: SessionSettings

  private var effects: [Interruption.Source: RolePolicy] = [:]
  private var hadRoles = false

  /// A watcher that has seen nothing yet.
  public init(settings: SessionSettings = SessionSettings()) {
    self.settings = settings
  }

  /// Compares a world with the one before. Beginnings come before ends, so that what hands over to something else does not
  /// let a note slip through.
  ///
  /// - Parameters:
  ///   - ownClient: our connection; nothing of it counts.
  ///   - ownInputs: our streams, wherever they are listed.
  public mutating func handle(
    _ world: AudioWorld, ownClient: AudioClient.Index?, ownInputs: Set<SinkInput.Index> = []
  ) -> [SessionEvent] {
    let others = Others(in: world, ownClient: ownClient, ownInputs: ownInputs)
    let roles = others.activeRoles
    var now: [Interruption.Source: RolePolicy] = [:]
    for role in roles { now[Interruption.Source(role)] = settings.policy(for: role) }
    if others.isRecording(settings.microphone) { now[.microphone] = .pause }
    return change(to: now.filter { $0.value != .ignore }, hasRoles: !roles.isEmpty)
  }

  /// With the server went everybody's streams.
  public mutating func serverLost() -> [SessionEvent] { change(to: [:], hasRoles: false) }

  private mutating func change(
    to now: [Interruption.Source: RolePolicy], hasRoles: Bool
  ) -> [SessionEvent] {
    let before = effects
    let hadRoles = self.hadRoles
    effects = now
    self.hadRoles = hasRoles
    let began = now.filter { before[$0.key] != $0.value }.sorted { $0.key.rank < $1.key.rank }
    let ended = before.filter { now[$0.key] != $0.value }.sorted { $0.key.rank < $1.key.rank }
    return began.map { $0.value == .duck ? .duckBegan($0.key) : .began($0.key) }
      + ended.map { $0.value == .duck ? .duckEnded($0.key) : .ended($0.key) }
      + (hadRoles && !hasRoles ? [.rolesWentQuiet] : [])
  }
}

/// Everybody's streams but ours.
private struct Others {
  let inputs: [SinkInput]
  let recordings: [SourceOutput]
  let clients: [AudioClient.Index: AudioClient]

  init(in world: AudioWorld, ownClient: AudioClient.Index?, ownInputs: Set<SinkInput.Index>) {
    inputs = world.sinkInputs.filter {
      !ownInputs.contains($0.index) && ($0.client == nil || $0.client != ownClient)
    }
    recordings = world.sourceOutputs.filter { $0.client != nil && $0.client != ownClient }
    clients = Dictionary(world.clients.map { ($0.index, $0) }, uniquingKeysWith: { $1 })
  }

  /// The server counts a muted stream as silent too.
  var activeRoles: Set<WatchedRole> {
    Set(
      inputs.filter { $0.isActive && !$0.isMuted }
        .compactMap { $0.role.flatMap { WatchedRole(rawValue: $0.lowercased()) } })
  }

  /// Somebody hears a microphone, not what is being played, and not just how loud it is.
  func isRecording(_ policy: MicrophonePolicy) -> Bool {
    guard policy != .ignore else { return false }
    let real = recordings.filter { !$0.isCorked && !$0.hearsMonitor && !$0.isMeter }
    guard policy == .withOutput, !real.isEmpty else { return !real.isEmpty }
    let playing = inputs.filter(\.isActive).compactMap(\.client)
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
