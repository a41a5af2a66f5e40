// SPDX-License-Identifier: MIT
import AudioModel

/// Makes text for the verbose log: the events and readings from which decisions are made.
enum Evidence {
  /// The text for an event; nil for events that come all the time and decide nothing.
  static func text(_ event: PlayerEvent) -> String? {
    switch event {
    case .order(let order, let sender): "order: \(order), by \(sender)"
    case .session(.progressed), .session(.ownMute), .session(.timer), .timer, .soundChanged: nil
    case .session(.routeChanged): nil  // `PlayerNews.route` is logged instead
    case .session(let event): "session: \(event)"
    case .tagged(let entry, let length): "tags: entry \(entry.rawValue) lasts \(length)"
    case .sound(.position), .sound(.heard): nil
    case .sound(let report): "sound: \(report)"
    }
  }

  static func text(_ event: RouteEvent) -> String? {
    switch event {
    case .world(let world, let own, _, _): "route: \(text(world, own: own))"
    case .sink(let change, let index): "route: sink \(index.rawValue) is \(change)"
    case .card(let change, let index): "route: card \(index.rawValue) is \(change)"
    case .moved(let index): "route: our stream goes to sink \(index.rawValue)"
    case .timer, .otherStreamChanged: nil
    default: "route: \(event)"
    }
  }

  /// The text for what the route classifier wants done; nil if the consequences are logged anyway.
  static func text(_ effect: RouteEffect) -> String? {
    switch effect {
    case .hold: "route: silence until it is clear what happened"
    case .release(let sinkIsGone): "route: silence is over" + (sinkIsGone ? ", the sink is gone" : "")
    case .terminated: "route: somebody has ended our stream"
    case .readWorld, .timer, .change: nil
    }
  }

  /// The text for what the guard of other players wants done; nil if it decides nothing.
  static func text(_ effect: GuardEffect) -> String? {
    switch effect {
    case .find(_, let processes):
      "guard: looking for other programs' players, processes \(processes)"
    case .ask(let player): "guard: \(player.busName) is asked what it does"
    case .pause(let player): "guard: \(player.busName) is told to pause"
    case .readWorld, .readStatus, .leave, .timer, .tell: nil
    }
  }

  /// The text for a reading of the sound server: the sinks, and which of them our stream is on.
  private static func text(_ world: AudioWorld, own: SinkInput.Index?) -> String {
    let sinks = world.sinks.map { sink in
      let ports = sink.ports.map { port in
        "\(port.name == sink.activePort ? "*" : "")\(port.name) \(port.availability)"
      }
      let marks = [
        (sink.isSuspended, "suspended"), (sink.isMuted, "muted"), (sink.volume == 0, "at volume 0"),
      ]
      let known = (ports + marks.filter(\.0).map(\.1)).joined(separator: ", ")
      return "\(sink.index.rawValue) '\(sink.name)'" + (known.isEmpty ? "" : " (\(known))")
    }
    let place = own.flatMap { world.sinkInput($0)?.sink }.map { "sink \($0.rawValue)" }
    return "\(world.server.name) has sinks \(sinks.joined(separator: ", ")), default "
      + "'\(world.server.defaultSink)'; our stream is on \(place ?? "none")"
  }

  /// The text for the streams of other programs, any of which may be the reason for an interruption.
  static func others(in world: AudioWorld, own: SinkInput.Index?) -> String {
    let inputs = world.sinkInputs.filter { $0.index != own }.map { input in
      let marks = (input.isCorked ? ", corked" : "") + (input.isMuted ? ", muted" : "")
      return
        "'\(input.name)' of \(program(input.client, world)) as \(input.role ?? "nothing special")\(marks)"
    }
    let outputs = world.sourceOutputs.filter { $0.isRunning && !$0.hearsMonitor }.map { output in
      "'\(output.name)' of \(program(output.client, world)) listens"
    }
    let streams = inputs + outputs
    return streams.isEmpty ? "no streams but ours" : streams.joined(separator: "; ")
  }

  private static func program(_ index: AudioClient.Index?, _ world: AudioWorld) -> String {
    guard let client = index.flatMap({ world.client($0) }) else { return "the server" }
    return "'\(client.name)'" + (client.processID.map { ", process \($0)" } ?? "")
  }
}
