// SPDX-License-Identifier: MIT
package import AudioModel

/// The outputs that a user can choose among, at one moment.
package struct Outputs: Sendable, Equatable {
  /// Why a text that a user typed does not name one output.
  package enum Problem: Error, Equatable {
    /// No output has the text in its name or its description.
    case none
    /// Several outputs have the text in their name or description; these are their descriptions.
    case several([String])
  }

  /// The outputs, in the server's order.
  package let routes: [Route]
  /// The name of the output that our stream plays to, or would play to.
  package let current: String?
  /// Where our sound is heard, or would be; nil if there is no output. If our stream plays to a filter, such as an equalizer, this is the output behind
  /// it.
  package let currentRoute: Route?

  /// These outputs, of which the one of this name is where our sound goes.
  package init(_ routes: [Route], current: String?) {
    (self.routes, self.current) = (routes, current)
    currentRoute = routes.first { $0.sinkName == current }
  }

  /// The outputs in this reading of the sound server. The server's stand-in for "no output" is left out. `ownInput` is our stream, and `chosen` the
  /// sink on which the next stream will be made.
  package init(of world: AudioWorld, ownInput: SinkInput.Index?, chosen: String? = nil) {
    routes = world.sinks.filter { !$0.isNullFallback }.map { sink in
      // A filter is as private as what it plays on to, and has its ports. It is chosen by its own name.
      var route = SinkPort(endOf: world.path(from: sink), in: world).route
      (route.sinkName, route.sinkDescription, route.filter) = (sink.name, sink.description, nil)
      return route
    }
    let reading = Reading(
      world: world, ownInput: ownInput, chosenSink: chosen, takesFiltersAsEnd: true)
    current = reading.sink?.name
    currentRoute = Destination(reading).place?.route
  }

  /// Whether our sound left this output because the listener's device is gone. Another profile of the same card is no loss, and an output that everybody
  /// in the room hears can be replaced by any other.
  package func hasLost(_ former: Route) -> Bool {
    former.isPrivate && former.device.name != currentRoute?.device.name
      && !routes.contains { $0.sinkName == former.sinkName }
  }

  /// The output that a text names: by its name, by its description, or by a part of either that no other output has.
  package func named(_ text: String) throws(Problem) -> Route {
    if let exact = routes.first(where: { $0.sinkName == text }) { return exact }
    let wanted = text.lowercased()
    let described = routes.filter { $0.sinkDescription.lowercased() == wanted }
    let found =
      described.isEmpty
      ? routes.filter { route in
        [route.sinkName, route.sinkDescription].contains { $0.lowercased().hasPart(wanted) }
      } : described
    guard let first = found.first, !wanted.isEmpty else { throw .none }
    guard found.count == 1 else { throw .several(found.map { "\($0.sinkDescription) (\($0.sinkName))" }) }
    return first
  }
}

extension String {
  /// Whether this text contains `part`. The standard library's own search would link its regular expressions, which take a megabyte.
  fileprivate func hasPart(_ part: String) -> Bool {
    let (all, part) = (Array(utf8), Array(part.utf8))
    return part.count <= all.count && (0...all.count - part.count).contains { all[$0...].starts(with: part) }
  }
}

/// Decides whether our streams have gone to the output that somebody chose.
///
/// A server may refuse to move them. PipeWire at times says yes and does nothing: then it is asked again, and in the end the order has failed. If
/// there is no stream, nothing needs to move: the next one is made on that output.
package struct OutputMove: Sendable {
  /// What to do next.
  package enum Step: Sendable, Equatable {
    /// Ask the server to move the streams. If it refuses, call `refused`.
    case ask
    /// Read what the sound server says of itself again after this time, and call `next`.
    case look(after: Duration)
    /// All our streams go to the chosen output.
    case done
    /// Our streams stay where they are. The text tells a person why.
    case failed(String)
  }

  /// How long the streams may take to reach the chosen output. A server that does what it is asked for takes some milliseconds.
  package static let patience = Duration.seconds(2)
  private static let betweenLooks = Duration.milliseconds(50)
  private static let betweenOrders = Duration.milliseconds(500)

  private let sink: String
  private let start: Duration
  private var lastAsked: Duration?
  private var refusal: String?

  /// A move to the sink of this name that begins now.
  package init(to sink: String, at now: Duration) {
    (self.sink, start) = (sink, now)
  }

  /// Notes that the server refused to move the streams, and why.
  package mutating func refused(because reason: String) { refusal = reason }

  /// What to do after a reading of what the sound server says of itself. `places` are the outputs of our streams as the streams themselves were told,
  /// for PipeWire's lists claim for a second what was only ordered; nil stands for a stream that the server has not made yet.
  package mutating func next(_ world: AudioWorld, places: [Sink.Index?], at now: Duration) -> Step {
    guard let target = world.sink(named: sink) else { return .failed("the output \(sink) is gone") }
    guard let stray = places.compactMap(\.self).first(where: { $0 != target.index }) else {
      // If the server does not make the stream at all, the next attempt goes to the new output.
      return places.contains(nil) && now - start < Self.patience ? .look(after: Self.betweenLooks) : .done
    }
    let place = world.sink(stray)
    // Asked twice, and put back twice.
    if now - start >= Self.betweenOrders * 2, leads(place, to: target, in: world) { return .done }
    if let refusal { return .failed(text("the sound server refuses to move the music: \(refusal)", place)) }
    guard now - start < Self.patience else {
      return .failed(text("the sound server said yes, but did not move the music", place))
    }
    if let lastAsked, now - lastAsked < Self.betweenOrders { return .look(after: Self.betweenLooks) }
    lastAsked = now
    return .ask
  }

  /// Whether the sound is heard at the chosen output all the same. Easy Effects takes each stream back, and session managers may put a filter before an
  /// output for everybody.
  private func leads(_ place: Sink?, to target: Sink, in world: AudioWorld) -> Bool {
    place.map(world.path)?.sinks.contains { $0.index == target.index } ?? false
  }

  private func text(_ reason: String, _ place: Sink?) -> String {
    let stays = place.map { "; it stays on \($0.description)" } ?? ""
    return "\(reason)\(stays); choose it again, or move it in a mixer such as pavucontrol"
  }
}
