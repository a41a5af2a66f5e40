// SPDX-License-Identifier: MIT

/// Interfaces as XML: what `Introspect` answers, and what the files under `dbus/` hold.
///
/// The same description always gives the same text, so the two can be compared without a parser. Nothing in it needs
/// escaping: it consists of names and signatures, whose grammars allow no markup characters.
package enum IntrospectionXML {
  private static let documentType = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """
  private static let emitsChanged = "org.freedesktop.DBus.Property.EmitsChangedSignal"

  /// A whole document: an object's interfaces, and the names of the nodes below it.
  package static func document(_ interfaces: [InterfaceDescription], children: [String] = []) -> String {
    let nodes = children.map { "  <node name=\"\($0)\"/>\n" }.joined()
    return documentType + "<node>\n" + interfaces.map(interface).joined() + nodes + "</node>\n"
  }

  private static func interface(_ interface: InterfaceDescription) -> String {
    "  <interface name=\"\(interface.name)\">\n"
      + interface.methods.map(method).joined()
      + interface.signals.map(signal).joined()
      + interface.properties.map(property).joined()
      + "  </interface>\n"
  }

  private static func method(_ method: MethodDescription) -> String {
    member(
      "method", method.name,
      method.inputs.map { argument($0, " direction=\"in\"") }
        + method.outputs.map { argument($0, " direction=\"out\"") })
  }

  private static func signal(_ signal: SignalDescription) -> String {
    member("signal", signal.name, signal.arguments.map { argument($0, "") })
  }

  private static func member(_ kind: String, _ name: MemberName, _ arguments: [String]) -> String {
    guard !arguments.isEmpty else { return "    <\(kind) name=\"\(name)\"/>\n" }
    return "    <\(kind) name=\"\(name)\">\n" + arguments.joined() + "    </\(kind)>\n"
  }

  private static func argument(_ argument: ArgumentDescription, _ direction: String) -> String {
    "      <arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(direction)/>\n"
  }

  private static func property(_ property: PropertyDescription) -> String {
    let head =
      "    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(property.access.rawValue)\""
    guard property.changes != .withValue else { return head + "/>\n" }
    return head + ">\n      <annotation name=\"\(emitsChanged)\" value=\"\(property.changes.rawValue)\"/>\n"
      + "    </property>\n"
  }
}
