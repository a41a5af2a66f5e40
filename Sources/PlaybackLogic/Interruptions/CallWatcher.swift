// SPDX-License-Identifier: MIT
package import AudioModel

/// Finds out from the server's streams whether something should silence the music, such as a call. It is needed because PipeWire never asks a client
/// to be silent, and PulseAudio may not say that the reason is over.
///
/// A value without side effects: readings of all that the server says of itself go in, and what began and ended since the last one comes out as
/// events for the session.
package struct CallWatcher: Sendable {
  /// The roles and recordings that interrupt the music. A new value applies from the next reading of the server on.
  package var settings: SessionSettings

  /// How long another program's stream that PipeWire shows as corked (silent) still counts as heard, because it may be on its way
  /// from one sink to another. The time begins with the first reading that shows it so: in a long call the one before may be of minutes ago.
  package static let grace = Duration.milliseconds(100)
  /// The same for a stream that is linked to another sink than the one where it was heard. It certainly is on its way, and a busy machine may take
  /// longer.
  static let graceOfMoved = Duration.seconds(1)

  /// Whether the sound server has to be read once more after `grace`, because a stream that looks silent may still be heard.
  package private(set) var hasDoubt = false

  private var effects: [Interruption.Source: Effect] = [:]
  /// Other programs' streams that count as heard: on which sink each was last heard, and since when it looks silent; nil if it does not.
  private var heard: [SinkInput.Index: (sink: Sink.Index?, silentSince: Duration?)] = [:]
  /// Other programs' recordings that count as running, and since when each looks stopped; nil if it does not.
  private var recorded: [SourceOutput.Index: Duration?] = [:]
  /// Other programs' recordings that no source was shown for.
  private var withoutSource: Set<SourceOutput.Index> = []
  private var hadRoles = false
  /// The streams of calls that are heard, also where the settings say that the music does not stop for them, and those of them that the last reading
  /// showed for the first time.
  private var (phones, newPhones): (Set<SinkInput.Index>, Set<SinkInput.Index>) = ([], [])
  /// The streams with a role outside our list that were heard when the server corked us and no role of our list was there. Some user has told the server
  /// to cork music for them.
  private var corkCauses: Set<SinkInput.Index> = []

  /// A watcher to which no reading of the sound server was handed yet.
  package init(settings: SessionSettings = SessionSettings()) {
    self.settings = settings
  }

  /// Compares a reading of the sound server with the one before, and returns what began and ended. Beginnings are returned before
  /// ends, so that the music does not sound for a moment when one source hands over to another.
  ///
  /// - Parameters:
  ///   - ownClient: our connection; its streams do not count.
  ///   - ownInputs: our streams, which do not count either, whatever client they are listed under.
  ///   - isAfterCork: the server was read because it had asked our stream to be silent (corked it).
  ///   - now: must never go back.
  package mutating func handle(
    _ world: AudioWorld, ownClient: AudioClient.Index?, ownInputs: Set<SinkInput.Index> = [],
    isAfterCork: Bool = false, at now: Duration = .zero
  ) -> [SessionEvent] {
    var others = Others(in: world, ownClient: ownClient, ownInputs: ownInputs)
    hasDoubt = false
    listen(to: &others, isPipeWire: world.server.kind == .pipeWire, at: now)
    notice(&others.recordings, isPipeWire: world.server.kind == .pipeWire, at: now)
    let roles = others.activeRoles
    let nowPhones = Set((roles[.phone] ?? []).map(\.index))
    (phones, newPhones) = (nowPhones, nowPhones.subtracting(phones))
    // The call for which the server corked us may be over before any reading showed it. It is over if no stream has a role, or if
    // our stream is no longer muted. Then pretend that there was a watched role, so that `rolesWentQuiet` ends the cork. A role
    // outside our list keeps the cork, because the server may have corked us for that one.
    if isAfterCork, others.active.allSatisfy({ $0.role == nil }) || world.hasAudible(ownInputs) {
      hadRoles = true
    }
    var effects: [Interruption.Source: Effect] = [:]
    for (role, streams) in roles {
      effects[Interruption.Source(role)] = Effect(
        policy: settings.policy(for: role), streams: Set(streams.map(\.index)),
        programs: streams.map { StreamProgram(of: $0, in: world).name })
    }
    let recordings = others.recordings(countedBy: settings.microphone)
    if !recordings.isEmpty {
      effects[.microphone] = Effect(
        policy: .pause, streams: [], programs: recordings.map { StreamProgram(of: $0, in: world).name })
    }
    var events = change(to: effects.filter { $0.value.policy != .ignore }, hasRoles: !roles.isEmpty)
    if isCorkOver(others, isAfterCork: isAfterCork, hasRoles: !roles.isEmpty), events.last != .rolesWentQuiet
    {
      events.append(.rolesWentQuiet)
    }
    // PulseAudio asks for silence without knowing what the user has chosen for a call. It may do so for a role outside our list as well.
    let isUnwanted =
      !roles.isEmpty && roles.keys.allSatisfy { settings.policy(for: $0) != .pause } && !others.hasUnknownRole
    return events + (isAfterCork && isUnwanted ? [.corkUnwanted] : [])
  }

  /// Notes for which streams of other roles the server has corked us. Returns whether the last of them is over: the server does not say so to a stream
  /// that was moved or made since.
  private mutating func isCorkOver(_ others: Others, isAfterCork: Bool, hasRoles: Bool) -> Bool {
    if isAfterCork { corkCauses = hasRoles ? [] : Set(others.ofOtherRoles.map(\.index)) }
    guard !corkCauses.isEmpty, corkCauses.isDisjoint(with: others.ofOtherRoles.map(\.index)) else {
      return false
    }
    corkCauses = []
    return true
  }

  /// Removes from `others.active`, the other programs' streams, those that do not count as heard. WirePlumber moves a stream by
  /// unlinking it and linking it to another sink, and until the stream runs there it looks corked. That does not end a call: a
  /// stream that was heard still counts while it is linked to nothing, and on PipeWire for a while when it looks corked.
  private mutating func listen(to others: inout Others, isPipeWire: Bool, at now: Duration) {
    let before = heard
    heard = [:]
    for input in others.active {
      let last = before[input.index]
      if input.isActive || (input.sink == nil && last != nil) {
        heard[input.index] = (input.sink ?? last?.sink, nil)
      } else if isPipeWire, let last {
        let since = last.silentSince ?? now
        guard now - since < (input.sink == last.sink ? Self.grace : Self.graceOfMoved) else { continue }
        heard[input.index] = (last.sink, since)
        hasDoubt = true
      }
    }
    others.active.removeAll { heard[$0.index] == nil }
  }

  /// Removes from other programs' recordings those that do not run. On PipeWire one that goes to another microphone looks corked until that runs, and
  /// that does not end a call either. One that runs without a source records what another program plays, unless the server does not show its link yet.
  private mutating func notice(_ recordings: inout [SourceOutput], isPipeWire: Bool, at now: Duration) {
    let before = recorded
    recorded = [:]
    let hidden = Set(recordings.filter { !$0.hasSource && !$0.isCorked }.map(\.index))
    if !hidden.isSubset(of: withoutSource) { hasDoubt = true }
    withoutSource = hidden
    for recording in recordings {
      if recording.isRunning {
        recorded[recording.index] = .some(nil)
      } else if isPipeWire, let last = before[recording.index] {
        let since = last ?? now
        guard now - since < Self.graceOfMoved else { continue }
        recorded[recording.index] = since
        hasDoubt = true
      }
    }
    recordings.removeAll { recorded[$0.index] == nil }
  }

  /// Whether a call is heard, also one for which the music does not stop.
  var hearsPhone: Bool { !phones.isEmpty }

  /// Whether the last reading showed a call for the first time that began before this stream was made. A server numbers streams in the order in which it
  /// makes them.
  func hasNewCall(before stream: SinkInput.Index) -> Bool {
    newPhones.contains { $0.rawValue < stream.rawValue }
  }

  /// The names of the programs that cause this interruption now by their streams or recordings, such as the program that has a call.
  func programs(behind source: Interruption.Source) -> [String] { effects[source]?.programs ?? [] }

  /// The server is gone, and all streams with it: returns the ends of everything that was going on.
  package mutating func serverLost() -> [SessionEvent] {
    (heard, recorded, withoutSource) = ([:], [:], [])
    (phones, newPhones, corkCauses) = ([], [], [])
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
    let began = now.filter { before[$0.key].map($0.value.isNews) ?? true }.sorted { $0.key < $1.key }
    let ended = before.filter { now[$0.key]?.policy != $0.value.policy }.sorted { $0.key < $1.key }
    return began.map { $0.value.policy == .duck ? .duckBegan($0.key) : .began($0.key) }
      + ended.map { $0.value.policy == .duck ? .duckEnded($0.key) : .ended($0.key) }
      + (hadRoles && !hasRoles ? [.rolesWentQuiet] : [])
  }
}

extension AudioWorld {
  /// Whether one of these streams is not muted. PulseAudio mutes a stream while it corks it.
  fileprivate func hasAudible(_ inputs: Set<SinkInput.Index>) -> Bool {
    sinkInputs.contains { inputs.contains($0.index) && !$0.isMuted }
  }
}

/// What a source of interruptions, such as a call, does to the music, and the streams that cause it.
private struct Effect {
  let policy: RolePolicy
  let streams: Set<SinkInput.Index>
  let programs: [String]

  /// Whether this has to be reported as a beginning, because the music is to do something else than `before` or none of the
  /// streams is the same. In the second case a second call began in the same reading in which the first one ended, and the user
  /// may have overruled only the first.
  func isNews(after before: Effect) -> Bool {
    policy != before.policy || (!streams.isEmpty && streams.isDisjoint(with: before.streams))
  }
}

/// The streams of other programs in one reading of the sound server.
private struct Others {
  /// Other programs' playback streams. `CallWatcher.listen` removes those that do not count as heard.
  var active: [SinkInput]
  /// Other programs' recordings of microphones. `CallWatcher.notice` removes those that do not run.
  var recordings: [SourceOutput]
  private let world: AudioWorld

  init(in world: AudioWorld, ownClient: AudioClient.Index?, ownInputs: Set<SinkInput.Index>) {
    active = world.sinkInputs.filter {
      !ownInputs.contains($0.index) && ($0.client == nil || $0.client != ownClient)
    }
    recordings = world.microphoneRecordings(notBy: ownClient.map { StreamProgram(of: $0, in: world) })
    self.world = world
  }

  /// The roles of `WatchedRole` that other programs' streams have now, each with its streams. A muted stream does not count, as it does not for
  /// PulseAudio either.
  var activeRoles: [WatchedRole: [SinkInput]] {
    var roles: [WatchedRole: [SinkInput]] = [:]
    for input in active where !input.isMuted {
      if let role = input.watchedRole { roles[role, default: []].append(input) }
    }
    return roles
  }

  /// Whether a stream has a role that is neither watched nor one of those that a call silences.
  var hasUnknownRole: Bool { ofOtherRoles.contains { $0.role?.lowercased() != "video" } }

  /// The streams whose role is neither music nor watched.
  var ofOtherRoles: [SinkInput] {
    active.filter { input in
      guard let role = input.role?.lowercased() else { return false }
      return input.watchedRole == nil && role != "music"
    }
  }

  /// The other programs' recordings of a microphone that this policy counts as a call.
  func recordings(countedBy policy: MicrophonePolicy) -> [SourceOutput] {
    guard policy != .ignore else { return [] }
    guard policy == .withOutput, !recordings.isEmpty else { return recordings }
    // A program may record with one connection and play with another.
    let playing = active.filter { $0.client != nil }.map { StreamProgram(of: $0, in: world) }
    return recordings.filter { recording in
      let program = StreamProgram(of: recording, in: world)
      guard !program.isVirtualMachine else { return false }
      return playing.contains { $0.isSame(as: program) }
    }
  }
}

extension StreamProgram {
  /// Whether this is QEMU, which runs virtual machines. It records and plays all the time while a machine with a sound card runs, so that is no sign of a
  /// call.
  fileprivate var isVirtualMachine: Bool { binary?.hasPrefix("qemu-system") ?? false }
}

extension SinkInput {
  /// Whether the stream is heard. A stream that is corked or linked to nothing exists but is silent.
  fileprivate var isActive: Bool { !isCorked && sink != nil }

  /// The role of the stream, if it is one of those that may take precedence over music.
  var watchedRole: WatchedRole? { role.flatMap { WatchedRole(rawValue: $0.lowercased()) } }
}

extension AudioWorld {
  /// Other programs' recordings of microphones, stopped ones too. Recordings of what is being played and level meters are not among them: they are no
  /// calls. Nor is anything of `own`, the program that we are in: it may record with a connection of its own, as a game does for a chat.
  func microphoneRecordings(notBy own: StreamProgram?) -> [SourceOutput] {
    sourceOutputs.filter { recording in
      guard recording.client != nil, !recording.hearsMonitor, !recording.isMeter else { return false }
      return own.map { !StreamProgram(of: recording, in: self).isSame(as: $0) } ?? true
    }
  }
}

extension SourceOutput {
  /// Whether something of a source is recorded now.
  var isRunning: Bool { !isCorked && hasSource }

  /// Whether this only drives a level meter and is no real recording. PipeWire marks such streams in the properties.
  var isMeter: Bool { isPeakMeter || properties["stream.monitor"] == "true" }
}

/// The roles of other programs' streams that may take precedence over music. The raw values are those of `media.role`.
package enum WatchedRole: String, Sendable, Hashable, CaseIterable {
  /// A call that rings or is going on.
  case phone
  /// A screen reader.
  case a11y
  /// A short sound of the desktop.
  case event
  /// The sound of a message that has come.
  case notification
  /// The voice of a navigation program or an assistant.
  case announcement
}

/// What the music does while another program's stream takes precedence.
package enum RolePolicy: String, Sendable, CaseIterable {
  /// The music falls silent, and goes on afterwards.
  case pause
  /// The music becomes quieter meanwhile.
  case duck
  /// The music goes on unchanged.
  case ignore
}

/// When another program's recording of a microphone is taken for a call.
package enum MicrophonePolicy: String, Sendable, CaseIterable {
  /// A recording counts as a call only while the same program also plays something, because whoever talks also listens.
  case withOutput = "with-output"
  /// Every recording of a microphone counts as a call.
  case always
  /// No recording counts as a call.
  case ignore
}
