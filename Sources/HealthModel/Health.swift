// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic
import ReaderModel

/// Turns the evidence about the machine into findings for `fermata doctor`: what works, what does not, and what to do about it.
package enum Health {
  /// All findings, in the order in which a person would look for a fault.
  package static func findings(of evidence: HealthEvidence) -> [Finding] {
    sound(evidence) + volume(evidence) + bus(evidence.bus) + guarding(evidence)
      + [reader(evidence.reader)] + (evidence.decoder.map { [decoder($0)] } ?? [])
      + evidence.settings.map(settings) + evidence.folders.map(folder)
  }

  /// The finding about the protections against a malicious file, which the process that reads tags has.
  private static func reader(_ answer: HealthEvidence.Answer<ReaderFence>) -> Finding {
    switch answer {
    case .missing(let reason):
      return .warning(
        "tags", "none are read: \(reason)", advice: "music plays without them")
    case .found(let fence):
      let missing = ReaderFence.all.subtracting(fence)
      let text = "read in a process of its own" + (fence.isEmpty ? "" : ", behind " + list(fence.names))
      if missing.isEmpty { return .fine("tags", text) }
      let lack = "\(text); not there: \(list(missing.names))"
      // Older kernels have no Landlock, and the filter refuses the same calls.
      if missing == .paths { return .fine("tags", lack) }
      return .warning(
        "tags", lack,
        advice: "a file that was made to do harm gains more; see what forbids it, often a container")
    }
  }

  /// The finding about formats that FFmpeg plays, because our own decoders don't.
  private static func decoder(_ answer: HealthEvidence.Answer<String>) -> Finding {
    switch answer {
    case .found(let release):
      .fine("formats", "AAC, ALAC and the like by FFmpeg \(release), in a process of its own")
    case .missing(let reason):
      .warning(
        "formats", "AAC, ALAC, WavPack, WMA and the like do not play: that \(reason)",
        advice: "all others play without it")
    }
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  private static func settings(_ answer: HealthEvidence.Answer<String>) -> Finding {
    switch answer {
    case .found(let path): .fine("settings", path)
    case .missing(let reason):
      .warning(
        "settings", reason,
        advice: "until that is mended, the preset counts there, or what an agent that runs had before")
    }
  }

  private static func folder(_ folder: HealthEvidence.Folder) -> Finding {
    guard let path = folder.path else {
      return .problem(folder.purpose, "the environment does not say where to keep it", advice: "set HOME")
    }
    if let trouble = folder.trouble {
      return .problem(folder.purpose, "\(path): \(trouble)", advice: folder.remedy)
    }
    if !folder.newer.isEmpty {
      return .warning(
        folder.purpose, "\(path): \(list(folder.newer)) is of a newer fermata, and was set aside for it",
        advice:
          "what is in it counts again when that version is installed, no agent runs, and the file has its old name"
      )
    }
    guard !folder.damaged.isEmpty else { return .fine(folder.purpose, path) }
    return .warning(
      folder.purpose, "\(path): \(list(folder.damaged)) could not be used and was set aside",
      advice: "what was in it counts no more; delete it when you do not want to have it examined")
  }
}

/// One thing that was examined, with the result, and advice if it could be better.
package struct Finding: Sendable, Hashable {
  /// How serious the finding is.
  package enum Level: String, Sendable, CaseIterable {
    /// All is well.
    case fine
    /// The thing works, but may surprise somebody.
    case warning
    /// The thing does not work.
    case problem
  }

  /// The thing that was examined, in a word or two.
  package let topic: String
  package let level: Level
  /// The result, in words.
  package let text: String
  /// Advice; nil if there is nothing to do.
  package let advice: String?

  static func fine(_ topic: String, _ text: String) -> Finding {
    Finding(topic: topic, level: .fine, text: text, advice: nil)
  }

  static func warning(_ topic: String, _ text: String, advice: String) -> Finding {
    Finding(topic: topic, level: .warning, text: text, advice: advice)
  }

  static func problem(_ topic: String, _ text: String, advice: String?) -> Finding {
    Finding(topic: topic, level: .problem, text: text, advice: advice)
  }
}

// Findings about the sound server: its outputs, whether a pulled plug is noticed, and how calls are noticed.
extension Health {
  private static func sound(_ evidence: HealthEvidence) -> [Finding] {
    let contact =
      if case .found(let bus) = evidence.bus { bus.agentServer } else { HealthEvidence.ServerContact.unknown }
    switch evidence.sound {
    case .missing(let reason) where contact == .there:
      return [
        .warning(
          "sound server", "none answers here, while the agent has one: \(reason)",
          advice: "nothing can be said of outputs; set PULSE_SERVER here as the agent has it")
      ]
    case .missing(let reason):
      return [
        .problem(
          "sound server", "no answer: \(reason)",
          advice:
            "start PipeWire (systemctl --user start pipewire-pulse) or PulseAudio, or say in PULSE_SERVER where it is"
        )
      ]
    case .found(let sound):
      return [server(sound.world.server)] + (contact == .awaited ? [unreached] : []) + outputs(sound)
        + [calls(sound)] + manager(sound)
    }
  }

  private static let unreached = Finding.problem(
    "sound server", "it answers here, but the agent waits for one",
    advice: """
      it may have another PULSE_SERVER, or be a service that may not use the network: then add RestrictAddressFamilies=AF_INET \
      AF_INET6 below [Service] with 'systemctl --user edit fermata'
      """)

  private static func server(_ server: AudioServer) -> Finding {
    .fine(
      "sound server", server.kind == .pipeWire ? server.name : "\(server.kind.rawValue) \(server.version)")
  }

  // MARK: Outputs

  private static func outputs(_ sound: HealthEvidence.Sound) -> [Finding] {
    let real = sound.world.sinks.filter { !$0.isNullFallback }
    guard !real.isEmpty else {
      return [
        .problem(
          "output", "there is none that anyone could hear",
          advice: "connect one, or switch its card on")
      ]
    }
    let used = sound.ownSink ?? sound.world.server.defaultSink
    return real.flatMap { sink in output(sink, sound, isUsed: sink.name == used) }
  }

  private static func output(_ sink: Sink, _ sound: HealthEvidence.Sound, isUsed: Bool) -> [Finding] {
    // A filter is as private as the output that it plays on to, and so are its jacks.
    let path = sound.world.path(from: sink)
    let heard = path.heard ?? sink
    let route = Route(of: heard, in: sound.world)
    var text = path.sinks.map { $0.description.isEmpty ? $0.name : $0.description }.joined(separator: ", to ")
    if let port = route.portDescription ?? route.portName { text += ", \(port)" }
    text +=
      route.isPrivate ? ": private, so that its loss pauses" : ": heard by all, so that music goes on there"
    if isUsed { text += sound.ownSink == nil ? " (the default)" : " (in use)" }
    guard isUsed else { return [.fine("output", text)] }
    return [used(path, text)] + jack(heard, in: sound.world)
  }

  private static func used(_ path: SinkPath, _ text: String) -> Finding {
    if path.sinks.contains(where: \.isMuted) {
      return .warning(
        "output", text + "; it is muted",
        advice: "unmute it in a mixer, or choose another: fermata output NAME")
    }
    guard path.sinks.contains(where: { $0.volume == 0 }) else { return .fine("output", text) }
    return .warning(
      "output", text + "; its volume is 0%",
      advice: "turn it up in a mixer, or choose another: fermata output NAME")
  }

  /// For each socket, whether fermata can notice that a plug is pulled. A Bluetooth device has none, and most USB headsets have none that tells: they are
  /// gone as a whole, which is always noticed.
  private static func jack(_ sink: Sink, in world: AudioWorld) -> [Finding] {
    let bus = sink.bus(in: world)
    if bus == "bluetooth" { return [] }
    let sockets = sink.ports.filter { [.headphones, .headset, .line, .handset].contains($0.kind) }
    return sockets.compactMap { port in
      let name = port.description.isEmpty ? port.name : port.description
      switch port.availability {
      case .yes: return .fine("jack", "\(name): plugged in, and it is noticed when it is pulled")
      case .no:
        return .fine("jack", "\(name): nothing plugged in, and it is noticed when that changes")
      case .unknown:
        return bus == "usb"
          ? nil
          : .warning(
            "jack", "\(name): the hardware does not tell whether something is plugged in",
            advice: "pause before you pull the plug")
      }
    }
  }

  // MARK: Calls

  private static func calls(_ sound: HealthEvidence.Sound) -> Finding {
    if sound.world.server.kind == .pipeWire {
      return .fine("calls", "PipeWire asks nobody to be silent for them; fermata watches for them itself")
    }
    let corks = sound.modules.contains("module-role-cork")
    return .fine(
      "calls",
      corks
        ? "PulseAudio asks for silence while there is one (module-role-cork)"
        : "PulseAudio asks nobody to be silent for them (no module-role-cork); fermata watches for them itself"
    )
  }

  private static func manager(_ sound: HealthEvidence.Sound) -> [Finding] {
    guard let version = sound.wirePlumber else { return [] }
    let text =
      version.pausesPlayers
      ? "pauses players itself when an output goes; its Pause and fermata's count as one"
      : "leaves it to players to pause when an output goes"
    return [.fine("session manager", "WirePlumber \(version.text) \(text)")]
  }
}

// Findings about music that plays but cannot be heard.
extension Health {
  /// A warning if the agent's own stream is muted or at volume zero. Empty if there is no stream, or nothing is wrong with it.
  private static func volume(_ evidence: HealthEvidence) -> [Finding] {
    guard case .found(let sound) = evidence.sound, case .found(let bus) = evidence.bus,
      let stream = stream(of: bus.agent, in: sound.world)
    else { return [] }
    if stream.isMuted {
      return [
        .warning("volume", "fermata's own stream is muted", advice: "fermata volume unmute")
      ]
    }
    guard stream.volume == 0 else { return [] }
    return [.warning("volume", "fermata's own volume is 0%", advice: "fermata volume 100%")]
  }

  /// The stream of the agent's music. The pads have a stream of their own.
  private static func stream(of agent: UInt32?, in world: AudioWorld) -> SinkInput? {
    guard let agent else { return nil }
    let clients = world.clients.filter { $0.processID.map(Int64.init) == Int64(agent) }.map(\.index)
    return world.sinkInputs.first { !$0.isOfPads && $0.client.map(clients.contains) ?? false }
  }
}

// Findings about other players: which are paused when the device that they play on is gone.
extension Health {
  private static func guarding(_ evidence: HealthEvidence) -> [Finding] {
    guard let guarding = evidence.guarding, case .found(let sound) = evidence.sound,
      case .found(let bus) = evidence.bus
    else { return [] }
    guard guarding.settings.isOn else {
      return [.fine("guard", "off: other players play on when their device is gone (setting guard)")]
    }
    let outlook = GuardOutlook(
      in: sound.world, players: guarding.players, identities: guarding.identities,
      processes: guarding.processes, settings: guarding.settings,
      agent: bus.agent.flatMap { Int32(exactly: $0) })
    let isWatched = bus.agent != nil
    let nobody =
      "no other program plays; a player with a name on the bus (MPRIS) is paused when its device is gone"
    let found = outlook.programs.map { guarded($0.name, $0.standing, isWatched: isWatched) }
    let wouldBe = outlook.programs.contains { $0.standing == .guarded }
    return (isWatched ? [] : [unguarded(wouldBe)])
      + (found.isEmpty ? (isWatched ? [.fine("guard", nobody)] : []) : found) + share(of: sound.wirePlumber)
  }

  /// The finding that no agent runs. It matters if there is a program that one would pause.
  private static func unguarded(_ wouldBe: Bool) -> Finding {
    let text = "no agent runs, so nobody is guarded now"
    guard wouldBe else { return .fine("guard", text) }
    return .warning(
      "guard", text,
      advice: "start one: 'fermata status' does, or 'fermata agent --guard-only' if it shall only guard")
  }

  private static func guarded(
    _ name: String, _ standing: GuardOutlook.Standing, isWatched: Bool
  ) -> Finding {
    switch standing {
    case .guarded:
      .fine(
        "guard", "\(name) \(isWatched ? "is" : "would be") paused when the device that it plays on is gone")
    case .excepted: .fine("guard", "\(name) is left alone (setting guard-except)")
    case .calling: .fine("guard", "\(name) has a call, and is never paused")
    case .unreachable:
      .warning(
        "guard", "\(name) can't be paused: it has no name on the bus (MPRIS)",
        advice: "pause it before you pull the plug; for mpv there is the package mpv-mpris")
    }
  }

  private static func share(of manager: WirePlumberVersion?) -> [Finding] {
    guard let manager, manager.pausesPlayers else { return [] }
    return [
      .fine(
        "guard",
        "WirePlumber \(manager.text) does a part of it, when a whole output goes; a pulled plug it leaves to fermata"
      )
    ]
  }
}

/// A variable of the environment that decides where the agent finds what it needs.
private struct EnvironmentVariable {
  let name: String
  /// The folder below HOME that counts if the variable names none; nil for a variable of another kind.
  let standard: String?

  static let all = [
    EnvironmentVariable(name: "HOME", standard: nil),
    EnvironmentVariable(name: "XDG_CONFIG_HOME", standard: "/.config"),
    EnvironmentVariable(name: "XDG_STATE_HOME", standard: "/.local/state"),
    EnvironmentVariable(name: "XDG_DATA_HOME", standard: "/.local/share"),
    EnvironmentVariable(name: "XDG_CACHE_HOME", standard: "/.cache"),
    EnvironmentVariable(name: "PULSE_SERVER", standard: nil),
  ]

  /// The variable's value; nil if it is empty, or if a folder is no absolute path and so does not count.
  func value(in environment: [String: String]) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return standard == nil || value.utf8.first == UInt8(ascii: "/") ? value : nil
  }

  /// What the variable amounts to: its value, or the folder that counts without it.
  func effect(in environment: [String: String]) -> String? {
    value(in: environment) ?? standard.flatMap { below in environment["HOME"].map { $0 + below } }
  }
}

// Findings about the session bus: whether the agent can be reached, and which other players media keys may reach.
extension Health {
  private static func bus(_ answer: HealthEvidence.Answer<HealthEvidence.Bus>) -> [Finding] {
    switch answer {
    case .missing(let reason):
      [
        .problem(
          "session bus", "no answer: \(reason)",
          advice: "run it in a desktop session, or below 'dbus-run-session'")
      ]
    case .found(let bus):
      [.fine("session bus", "it answers"), agent(bus)] + environment(bus) + store(bus) + keys(bus)
    }
  }

  /// A warning if the agent was started with other values of the variables that matter. Then it has other folders, or another sound server, than those
  /// that the doctor looks at.
  private static func environment(_ bus: HealthEvidence.Bus) -> [Finding] {
    guard let (agent, own) = bus.variables else { return [] }
    let differences = EnvironmentVariable.all.filter { $0.effect(in: agent) != $0.effect(in: own) }
    // Where HOME differs, folders differ that are given by nothing else.
    let named = differences.filter { $0.value(in: agent) != $0.value(in: own) }
    guard !named.isEmpty else { return [] }
    let texts = named.map { variable in
      let (there, here) = (variable.value(in: agent), variable.value(in: own))
      return
        "\(variable.name) is \(there.map { "'\($0)'" } ?? "not set") for the agent, and here \(here.map { "'\($0)'" } ?? "not set")"
    }
    return [
      .warning(
        "environment", texts.joined(separator: "; "),
        advice: """
          what is said here of settings, folders and the sound server holds for this shell, not for the agent; set it for the whole session, in \
          ~/.config/environment.d
          """)
    ]
  }

  /// The finding about the stored queue. The agent's reason may end with a semicolon and advice; the two are separated here.
  private static func store(_ bus: HealthEvidence.Bus) -> [Finding] {
    guard let reason = bus.notStored else { return [] }
    let cut = reason.lastIndex(of: ";")
    let text = cut.map { String(reason[..<$0]) } ?? reason
    let advice = cut.map { String(reason[$0...].dropFirst().drop { $0 == " " }) }
    return [.problem("queue", "what is done now is not stored: \(text)", advice: advice)]
  }

  private static func agent(_ bus: HealthEvidence.Bus) -> Finding {
    if let process = bus.agent, !bus.agentAnswers {
      return .problem(
        "agent", "it runs (process \(process)), but does not answer",
        advice:
          "'kill -CONT \(process)' lets it go on if it was halted; else end it with 'kill -KILL \(process)'")
    }
    if let process = bus.agent {
      let text = "it runs (process \(process))" + (bus.state.map { ": \($0)" } ?? "")
      guard bus.isAgentReplaced else { return .fine("agent", text) }
      return .warning(
        "agent", text + "; its program was replaced since it started",
        advice: "'fermata quit' ends it, and the next command starts the new one")
    }
    if bus.canStartAgent {
      return .fine("agent", "it does not run; the first command or key starts it")
    }
    return .warning(
      "agent", "it does not run, and the bus does not know how to start it",
      advice: "install fermata with 'make install', or run 'setsid -f fermata agent >/dev/null 2>&1'")
  }

  private static func keys(_ bus: HealthEvidence.Bus) -> [Finding] {
    guard bus.agent != nil, bus.agentAnswers else { return [] }
    if bus.onlyGuards { return [.fine("media keys", "this agent only guards, so it takes none")] }
    guard bus.hasPlayerName else {
      return [
        .problem(
          "media keys", "another program has the name org.mpris.MediaPlayer2.fermata",
          advice: "end that program, then the agent")
      ]
    }
    let names = bus.players.map(\.name).joined(separator: ", ")
    if bus.players.isEmpty { return [.fine("media keys", "no other player would catch them")] }
    let playing = bus.players.filter(\.isPlaying).map(\.name)
    if playing.isEmpty {
      return [
        .fine("media keys", "the desktop may give them to \(names) too; whoever played last has them")
      ]
    }
    return [
      .warning(
        "media keys", "\(playing.joined(separator: ", ")) plays and may catch them",
        advice: "pause it there, then play here")
    ]
  }
}
