// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic

// Findings about the sound server: its outputs, whether a pulled plug is noticed, and how calls are noticed.
extension Health {
  static func sound(_ answer: HealthEvidence.Answer<HealthEvidence.Sound>) -> [Finding] {
    switch answer {
    case .missing(let reason):
      [
        Finding(
          "sound server", .problem, "no answer: \(reason)",
          advice:
            "start PipeWire (systemctl --user start pipewire-pulse) or PulseAudio, or say in PULSE_SERVER where it is"
        )
      ]
    case .found(let sound):
      [server(sound.world.server)] + outputs(sound) + [calls(sound)] + manager(sound)
    }
  }

  private static func server(_ server: AudioServer) -> Finding {
    Finding(
      "sound server", .fine,
      server.kind == .pipeWire ? server.name : "\(server.kind.rawValue) \(server.version)")
  }

  // MARK: Outputs

  private static func outputs(_ sound: HealthEvidence.Sound) -> [Finding] {
    let real = sound.world.sinks.filter { !$0.isNullFallback }
    guard !real.isEmpty else {
      return [
        Finding(
          "output", .problem, "there is none that anyone could hear",
          advice: "connect one, or switch its card on")
      ]
    }
    let used = sound.ownSink ?? sound.world.server.defaultSink
    return real.flatMap { sink in output(sink, sound, isUsed: sink.name == used) }
  }

  private static func output(_ sink: Sink, _ sound: HealthEvidence.Sound, isUsed: Bool) -> [Finding] {
    let route = Route(of: sink, in: sound.world)
    var text = sink.description.isEmpty ? sink.name : sink.description
    if let port = route.portDescription ?? route.portName { text += ", \(port)" }
    text +=
      route.isPrivate ? ": private, so that its loss pauses" : ": heard by all, so that music goes on there"
    if isUsed { text += sound.ownSink == nil ? " (the default)" : " (in use)" }
    guard isUsed else { return [Finding("output", .fine, text)] }
    return [used(sink, text)] + jack(sink)
  }

  private static func used(_ sink: Sink, _ text: String) -> Finding {
    if sink.isMuted { return Finding("output", .warning, text + "; it is muted", advice: "unmute it") }
    guard sink.volume == 0 else { return Finding("output", .fine, text) }
    return Finding("output", .warning, text + "; its volume is 0%", advice: "turn it up")
  }

  /// For each socket, whether fermata can notice that a plug is pulled.
  private static func jack(_ sink: Sink) -> [Finding] {
    let sockets = sink.ports.filter { [.headphones, .headset, .line, .handset].contains($0.kind) }
    return sockets.map { port in
      let name = port.description.isEmpty ? port.name : port.description
      switch port.availability {
      case .yes: return Finding("jack", .fine, "\(name): plugged in, and it is noticed when it is pulled")
      case .no:
        return Finding("jack", .fine, "\(name): nothing plugged in, and it is noticed when that changes")
      case .unknown:
        return Finding(
          "jack", .warning, "\(name): the hardware does not tell whether something is plugged in",
          advice: "pause before you pull the plug")
      }
    }
  }

  // MARK: Calls

  private static func calls(_ sound: HealthEvidence.Sound) -> Finding {
    if sound.world.server.kind == .pipeWire {
      return Finding(
        "calls", .fine, "PipeWire asks nobody to be silent for them; fermata watches for them itself")
    }
    let corks = sound.modules.contains("module-role-cork")
    return Finding(
      "calls", .fine,
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
    return [Finding("session manager", .fine, "WirePlumber \(version.text) \(text)")]
  }
}
