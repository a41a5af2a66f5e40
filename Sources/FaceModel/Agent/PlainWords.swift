// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Turns the codes that the bus interfaces use into words for people. An unknown code is shown as it is.
package enum PlainWords {
  /// A state and the reason why nothing is heard: "paused: its output is gone".
  package static func state(_ state: PlaybackState, _ why: String?) -> String {
    switch state {
    case .paused: paused(why ?? "user")
    case .interrupted: why.map(interrupted) ?? "interrupted"
    case .seekingForward: "seeking forward"
    case .seekingBackward: "seeking backward"
    case .playing: why.map(inaudible) ?? "playing"
    case .stopped: state.rawValue
    }
  }

  /// What has to happen before playback that was asked for begins: "a call is over".
  package static func awaited(_ source: String) -> String {
    switch source {
    case "server": "a sound server answers"
    case "suspend": "the output is there again"
    case "stall": "sound gets through"
    case "cork": "nobody asks for silence any more"
    case "microphone": "the microphone is free"
    default: "\(interrupter(source)) is over"
    }
  }

  /// What goes on while an interruption lasts: "a call is going on".
  package static func goesOn(_ source: String) -> String {
    switch source {
    case "server": "no sound server answers"
    case "suspend": "the sound server has let go of the output"
    case "stall": "no sound gets through"
    case "sleep": "the machine goes to sleep"
    case "cork": "another program asks for silence"
    case "microphone": "a program listens to the microphone"
    default: "\(interrupter(source)) is going on"
    }
  }

  /// The beginning of an interruption during which nothing played.
  package static func began(_ source: String) -> String { "\(goesOn(source)), nothing was playing" }

  /// The end of an interruption.
  package static func ended(_ source: String, resumes: Bool) -> String {
    let end =
      switch source {
      case "call": "the call is over"
      case "cork": "nobody asks for silence any more"
      case "microphone": "the microphone is free"
      case "suspend": "the output is there again"
      case "sleep": "the machine is awake"
      case "stall": "sound gets through again"
      case "server": "the sound server is back"
      default: "\(interrupter(source)) is over"
      }
    return end + (resumes ? ", the music goes on" : "")
  }

  /// Says where the sound goes after a change of output, and why it changed.
  package static func route(_ change: RouteChange.Reason, from: String?, to: String?) -> String {
    let place = to.map { "sound goes to \($0)" } ?? "sound goes nowhere"
    switch change {
    case .newDeviceAvailable: return "\(place), which has just come"
    case .oldDeviceUnavailable: return "\(from ?? "the output") is gone; \(place)"
    case .categoryChange: return "\(place), by another profile"
    case .override: return "\(place), as somebody chose"
    case .wakeFromSleep: return "\(place), after the sleep"
    case .noSuitableRouteForCategory: return "there is no output that anyone could hear"
    case .routeConfigurationChange: return "\(place), another of the machine's own"
    case .mediaServicesWereLost: return "the sound server is gone"
    case .mediaServicesWereReset: return "the sound server is back; \(place)"
    case .unknown: return place
    }
  }

  private static func inaudible(_ why: String) -> String {
    switch why {
    case "muted": "playing, but muted in the mixer"
    case "volume": "playing, at volume 0"
    case "output-muted": "playing, but its output is muted"
    case "output-volume": "playing, but its output is at volume 0"
    default: "playing, but not heard: \(why)"
    }
  }

  private static func paused(_ why: String) -> String {
    switch why {
    case "user": return "paused"
    case "route": return "paused: its output is gone"
    case "no-output": return "paused: there is no output that anyone could hear"
    case "sleep": return "paused: the machine slept"
    case "terminated": return "paused: somebody ended the stream in a mixer"
    case "restored": return "paused: as it was left"
    default: return tool(why).map { "paused by \($0)" } ?? "paused: \(why)"
    }
  }

  private static func interrupted(_ source: String) -> String {
    switch source {
    case "server": "waiting for a sound server"
    case "suspend", "stall", "sleep", "cork", "microphone": "interrupted: \(goesOn(source))"
    default: "interrupted by \(interrupter(source))"
    }
  }

  private static func interrupter(_ source: String) -> String {
    switch source {
    case "call": "a call"
    case "a11y": "the screen reader"
    case "event": "a sound of the desktop"
    case "notification": "a notification"
    case "announcement": "an announcement"
    default: tool(source) ?? source
    }
  }

  /// The name of the program behind a code, if it is one. The name may hold any characters, so whoever shows it has to
  /// remove those that a terminal would take as commands.
  private static func tool(_ code: String) -> String? {
    code.hasPrefix("tool:") ? String(code.dropFirst(5)) : nil
  }
}
