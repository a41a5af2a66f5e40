// SPDX-License-Identifier: MIT
import AudioModel
package import BusModel
package import PlaybackLogic

/// The output that the sound goes to, as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
package struct RouteFace: Sendable, Hashable {
  /// The name of the sink.
  package var sink: String
  /// The description of the sink for people.
  package var description: String
  /// The name of the port; nil for a sink without ports.
  package var port: String?
  /// The description of the port for people.
  package var portDescription: String?
  /// What the port leads to, as the sound server names it: "headphones", "hdmi".
  package var portType: String?
  /// Whether the sound is meant only for whoever wears or attached the device; see `Route`.
  package var isPrivate: Bool
  /// The sound server in use.
  package var server: String

  /// What is shown of a route.
  package init(_ route: Route) {
    sink = route.sinkName
    description = route.sinkDescription
    port = route.portName
    portDescription = route.portDescription
    portType = route.portKind?.rawValue
    isPrivate = route.isPrivate
    server = route.server.rawValue
  }

  /// Reads a route from a dictionary; nil if that is empty, which means no route.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let sink: String = fields("sink") else { return nil }
    self.sink = sink
    description = fields("description") ?? sink
    port = fields("port")
    portDescription = fields("portDescription")
    portType = fields("portType")
    isPrivate = fields("private") ?? false
    server = fields("server") ?? ""
  }

  /// The dictionary.
  package var wireValue: WireValue {
    var fields = Fields()
    fields.add("sink", sink)
    fields.add("description", description)
    fields.add("port", port)
    fields.add("portDescription", portDescription)
    fields.add("portType", portType)
    fields.add("private", isPrivate)
    fields.add("server", server)
    return fields.value
  }

  /// The dictionary of a route; an empty one for nil.
  static func wireValue(of route: Route?) -> WireValue {
    route.map { RouteFace($0).wireValue } ?? .properties([])
  }
}
