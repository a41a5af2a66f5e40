// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Turns the codes that the bus interfaces use into words for people. An unknown code is shown as it is.
package enum PlainWords {
  /// A state and the reason why nothing is heard: "paused: the headphones were unplugged". `lost` is the output whose loss paused the
  /// music, and `callers` are the programs that interrupt it, as far as they are known.
  package static func state(
    _ state: PlaybackState, _ why: String?, lost: RouteFace? = nil, callers: [String] = []
  ) -> String {
    switch state {
    case .paused: paused(why ?? "user", lost)
    case .interrupted: why.map { interrupted($0, callers.joined(separator: ", ")) } ?? "interrupted"
    case .seekingForward: "seeking forward"
    case .seekingBackward: "seeking backward"
    case .playing: why.map(inaudible) ?? "playing"
    case .stopped: why.map(stopped) ?? state.rawValue
    }
  }

  /// Why a file can't be played, without the part after a semicolon: that names formats that are played, for somebody who has to choose another file.
  package static func refusal(_ why: String) -> String { String(why.prefix { $0 != ";" }) }

  /// A status and its reason, by name: "interrupted by a call: Signal".
  package static func state(of status: StatusFace) -> String {
    if status.state == .stopped, let why = status.current?.unplayable { return "stopped: it \(refusal(why))" }
    return state(status.state, status.why, lost: status.lostRoute, callers: status.callers)
  }

  /// The event that playback waits for: "the call is over".
  package static func awaited(_ source: String) -> String { InterruptionWords(source).awaited }

  /// The beginning of the reason why hits make no sound while the pads are interrupted. The interruption's words follow.
  package static let padsAreSilent = "the pads are silent: "

  /// The pads in a line: "pads: kit Garage", or why they make no sound: "pads: a call is going on".
  package static func pads(_ pads: PadsFace) -> String {
    guard !pads.isEnabled else { return "pads: kit \(pads.kit.name)" }
    let reason = refusal(pads.reason ?? pads.why ?? "no sound")
    return "pads: "
      + (reason.hasPrefix(padsAreSilent) ? String(reason.dropFirst(padsAreSilent.count)) : reason)
  }

  /// The state of things while an interruption lasts: "a call is going on".
  package static func goesOn(_ source: String) -> String { InterruptionWords(source).goesOn }

  /// How long the music is played more quietly: "while a notification sounds".
  package static func meanwhile(_ source: String) -> String { InterruptionWords(source).meanwhile }

  /// A sentence about an interruption that began while nothing was playing: "a call is going on, nothing was playing".
  package static func began(_ source: String) -> String { "\(goesOn(source)), nothing was playing" }

  /// A sentence about an interruption with these sources that is over. `isOverruled` is true if the listener played on although it still goes on. Of
  /// several sources, one that says why counts more than `cork`, by which the sound server only asks for silence.
  package static func ended(_ sources: [String], resumes: Bool, isOverruled: Bool) -> String {
    let source = sources.first { $0 != "cork" } ?? sources.first ?? ""
    return isOverruled ? "you played on: \(goesOn(source))" : ended(source, resumes: resumes)
  }

  /// A sentence about an interruption that is over: "the call is over, the music goes on". The second half is left out unless `resumes` is true.
  package static func ended(_ source: String, resumes: Bool) -> String {
    InterruptionWords(source).isOver + (resumes ? ", the music goes on" : "")
  }

  /// A sentence about what happened to the output, and where the sound goes: "headphones unplugged; sound would go to the loudspeakers". `paused` is
  /// true if the music was paused for it.
  package static func route(
    _ change: RouteChange.Reason, from: RouteFace?, to: RouteFace?, paused: Bool
  ) -> String {
    let place = to.map { "sound \(paused ? "would go" : "goes") to \(output($0))" } ?? "sound goes nowhere"
    switch change {
    case .newDeviceAvailable: return to.map { "\(came($0)); sound goes there" } ?? place
    case .oldDeviceUnavailable: return "\(from.map(left) ?? "the output is gone"); \(place)"
    case .categoryChange: return "\(place), by another profile"
    case .override: return "\(place): moved by hand"
    case .wakeFromSleep: return "\(place), after the sleep"
    case .noSuitableRouteForCategory: return "there is no output that anyone could hear"
    case .routeConfigurationChange: return "\(place), another of the machine's own"
    case .mediaServicesWereLost: return "the sound server is gone"
    case .mediaServicesWereReset: return "the sound server is back; \(place)"
    case .unknown: return place
    }
  }

  /// An output as people call it: by its socket if that says enough, such as "headphones", else by its description.
  package static func output(_ route: RouteFace) -> String {
    switch route.portType {
    case "headphones" where route.isPlugged: "headphones"
    case "headset" where route.isPlugged: "a headset"
    case "speaker" where !route.isPrivate: "the loudspeakers"
    case "hdmi" where route.isPlugged: "HDMI"
    default: route.description.isEmpty ? route.sink : route.description
    }
  }

  private static func came(_ route: RouteFace) -> String {
    route.isJack ? "\(output(route)) plugged in" : "\(output(route)) is there"
  }

  private static func left(_ route: RouteFace) -> String {
    route.isJack ? "\(output(route)) unplugged" : "\(output(route)) is gone"
  }

  private static func stopped(_ why: String) -> String {
    switch why {
    case "finished": "finished; 'fermata play' begins it again"
    case "unplayable": "stopped: nothing that was left in the queue can be played"
    case "after-current": "stopped after a track, as was ordered"
    case "removed": "stopped: what played was taken out of the queue"
    case "user": "stopped"
    case "route": "stopped: its output is gone"
    default: "stopped" + (InterruptionWords.tool(why).map { " by \($0)" } ?? ": \(why)")
    }
  }

  private static func inaudible(_ why: String) -> String {
    switch why {
    case "muted": "playing, but muted"
    case "volume": "playing, at volume 0"
    case "output-muted": "playing, but its output is muted"
    case "output-volume": "playing, but its output is at volume 0"
    default: "playing, but not heard: \(why)"
    }
  }

  private static func paused(_ why: String, _ lost: RouteFace?) -> String {
    switch why {
    case "user": return "paused"
    case "route": return "paused: \(lost.map(wasLost) ?? "its output is gone")"
    case "no-output": return "paused: there is no output that anyone could hear"
    case "sleep": return "paused: the machine slept"
    case "sleep-timer": return "paused: the sleep timer ran out"
    case "terminated": return "paused: somebody ended the stream in a mixer"
    case "restored": return "paused since the agent started"
    default: return InterruptionWords.tool(why).map { "paused by \($0)" } ?? "paused: \(why)"
    }
  }

  /// The outcome of pausing another program's player: "mpv was paused: the headphones were unplugged".
  package static func guarded(
    _ player: String, _ why: GuardReport.Reason, _ outcome: GuardReport.Outcome, lost: RouteFace?
  ) -> String {
    let reason =
      switch why {
      case .solo: "fermata has begun to play alone"
      case .oldDeviceUnavailable: lost.map(wasLost) ?? "its output is gone"
      }
    return switch outcome {
    case .paused: "\(player) was paused: \(reason)"
    case .refused: "\(player) plays on and refuses to pause, although \(reason)"
    case .silent: "\(player) may play on, and nothing there answers, although \(reason)"
    }
  }

  private static func wasLost(_ route: RouteFace) -> String {
    switch output(route) {
    case "headphones": "the headphones were unplugged"
    case "a headset": "the headset was unplugged"
    case let name: route.isJack ? "\(name) was unplugged" : "\(name) is gone"
    }
  }

  private static func interrupted(_ source: String, _ callers: String) -> String {
    if source == "server" { return "waiting for a sound server" }
    if source == "microphone", !callers.isEmpty { return "interrupted: \(callers) listens to the microphone" }
    let words = InterruptionWords(source)
    guard let name = words.name else { return "interrupted: \(words.goesOn)" }
    let namesItself = callers.isEmpty || InterruptionWords.tool(source) != nil
    return "interrupted by \(name)" + (namesItself ? "" : ": \(callers)")
  }
}

extension RouteFace {
  /// Whether the output is reached by wire: all are but Bluetooth devices.
  fileprivate var isPlugged: Bool { !sink.hasPrefix("bluez") }

  /// Whether the output is a socket that takes a plug.
  fileprivate var isJack: Bool { isPlugged && ["headphones", "headset", "hdmi", "line"].contains(portType) }
}

/// All words for one source of interruptions, by the code that the bus has for it. An unknown code is its own name.
struct InterruptionWords {
  /// The interrupter, for "interrupted by a call". Nil for a state of things that nobody causes, such as a sound server that does not answer: then
  /// `goesOn` is told instead.
  let name: String?
  /// The state of things while it lasts: "a call is going on".
  let goesOn: String
  /// The end that has not come yet, for "the music goes on when the call is over".
  let awaited: String
  /// The end that has just come, for "the call is over, the music goes on".
  let isOver: String
  /// The time in which the music is played more quietly: "during a call".
  let meanwhile: String

  init(_ code: String) {
    self =
      switch code {
      case "call": .init("a call", "the call", meanwhile: "during a call")
      case "a11y":
        .init("the screen reader", "the screen reader", meanwhile: "while the screen reader speaks")
      case "event":
        .init(
          "a sound of the desktop", "the sound of the desktop", meanwhile: "while the desktop makes a sound")
      case "notification": .init("a notification", "the notification")
      case "announcement": .init("an announcement", "the announcement", meanwhile: "during an announcement")
      case "server":
        .init(
          state: "no sound server answers", until: "a sound server answers",
          isOver: "the sound server is back")
      case "suspend":
        .init(state: "the sound server has let go of the output", until: "the output is there again")
      case "stall":
        .init(
          state: "no sound gets through", until: "sound gets through", isOver: "sound gets through again")
      case "sleep": .init(state: "the machine goes to sleep", until: "the machine is awake")
      case "cork":
        .init(state: "another program asks for silence", until: "nobody asks for silence any more")
      case "microphone":
        .init(state: "a program listens to the microphone", until: "the microphone is free")
      default: .init(Self.tool(code) ?? code, Self.tool(code) ?? code)
      }
  }

  /// Words for an interrupter. `name` introduces it ("a call"), and `again` names it once it is known ("the call").
  private init(_ name: String, _ again: String, meanwhile: String? = nil) {
    (self.name, goesOn) = (name, "\(name) is going on")
    (awaited, isOver) = ("\(again) is over", "\(again) is over")
    self.meanwhile = meanwhile ?? "while \(name) sounds"
  }

  /// Words for a state of things that nobody causes. `awaited` is its end as long as that has not come, `isOver` when it has; the same by default.
  private init(state: String, until awaited: String, isOver: String? = nil) {
    (name, goesOn, self.awaited) = (nil, state, awaited)
    (self.isOver, meanwhile) = (isOver ?? awaited, "while \(state)")
  }

  /// The name of the program in a code such as `tool:name`; nil for any other code. The name may hold any characters, so control characters must be
  /// removed before it is shown.
  static func tool(_ code: String) -> String? {
    code.hasPrefix("tool:") ? String(code.dropFirst(5)) : nil
  }
}
