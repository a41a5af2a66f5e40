// SPDX-License-Identifier: MIT
import AudioModel
package import BusModel
package import PlaybackLogic

/// Where the sound goes as our own interfaces show it: an `a{sv}` with the keys of the command line's JSON.
package struct RouteFace: Sendable, Hashable {
  /// The sink by name.
  package var sink: String
  /// The sink as a person is shown it.
  package var description: String
  /// The port by name; nil for a sink without ports.
  package var port: String?
  /// The port as a person is shown it.
  package var portDescription: String?
  /// What the port leads to, as the sound server names it: "headphones", "hdmi".
  package var portType: String?
  /// Whether only who wears or attached it hears it.
  package var isPrivate: Bool
  /// The program that carries the sound.
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

  /// The route that a dictionary describes; nothing for an empty one, which stands for no route.
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

  /// The dictionary of a route; an empty one for none.
  static func wireValue(of route: Route?) -> WireValue {
    route.map { RouteFace($0).wireValue } ?? .properties([])
  }
}
