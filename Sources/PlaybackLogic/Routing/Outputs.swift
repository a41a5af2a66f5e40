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
