// SPDX-License-Identifier: MIT

/// A D-Bus interface as data. Its XML is made from this, and calls and values are checked against it.
package struct InterfaceDescription: Sendable, Hashable {
  package var name: InterfaceName
  package var methods: [MethodDescription]
  package var signals: [SignalDescription]
  package var properties: [PropertyDescription]

  /// An interface of these members. Traps if two members of one kind share a name, which is a bug.
  package init(
    _ name: InterfaceName, methods: [MethodDescription] = [], signals: [SignalDescription] = [],
    properties: [PropertyDescription] = []
  ) {
    precondition(Set(methods.map(\.name)).count == methods.count, "two methods of \(name) share a name")
    precondition(Set(signals.map(\.name)).count == signals.count, "two signals of \(name) share a name")
    precondition(
      Set(properties.map(\.name)).count == properties.count, "two properties of \(name) share a name")
    self.name = name
    self.methods = methods
    self.signals = signals
    self.properties = properties
  }

  package func method(_ name: MemberName) -> MethodDescription? { methods.first { $0.name == name } }
  package func signal(_ name: MemberName) -> SignalDescription? { signals.first { $0.name == name } }
  package func property(_ name: MemberName) -> PropertyDescription? { properties.first { $0.name == name } }
}

/// A method, with its arguments and answers.
package struct MethodDescription: Sendable, Hashable {
  package var name: MemberName
  package var inputs: [ArgumentDescription]
  package var outputs: [ArgumentDescription]

  package init(
    _ name: MemberName, in inputs: [ArgumentDescription] = [], out outputs: [ArgumentDescription] = []
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}

package struct SignalDescription: Sendable, Hashable {
  package var name: MemberName
  package var arguments: [ArgumentDescription]

  package init(_ name: MemberName, _ arguments: [ArgumentDescription] = []) {
    self.name = name
    self.arguments = arguments
  }
}

/// A property: its type, whether others may set it, and how its changes are reported.
package struct PropertyDescription: Sendable, Hashable {
  package enum Access: String, Sendable {
    case read
    case readWrite = "readwrite"
  }

  /// How a change of the property is reported by the signal `PropertiesChanged`.
  package enum Changes: String, Sendable {
    /// The signal reports the new value.
    case withValue = "true"
    /// The signal reports only that the old value is no longer valid.
    case withoutValue = "invalidates"
    /// There is no signal, because the property never changes while its object exists.
    case never = "const"
    /// There is no signal, although the property changes. Clients have to ask for the value.
    case silently = "false"
  }

  package var name: MemberName
  package var type: WireType
  package var access: Access
  package var changes: Changes

  package init(_ name: MemberName, _ type: WireType, _ access: Access = .read, changes: Changes = .withValue)
  {
    self.name = name
    self.type = type
    self.access = access
    self.changes = changes
  }
}

/// One argument of a method or signal.
package struct ArgumentDescription: Sendable, Hashable {
  /// A name for people to read; messages do not carry it.
  package var name: MemberName
  package var type: WireType

  package init(_ name: MemberName, _ type: WireType) {
    self.name = name
    self.type = type
  }
}

/// The interfaces that the D-Bus specification gives every object.
package enum StandardInterfaces {
  /// Asks whether a program answers at all, and on which machine it runs.
  package static let peer = InterfaceDescription(
    "org.freedesktop.DBus.Peer",
    methods: [
      MethodDescription("Ping"),
      MethodDescription("GetMachineId", out: [ArgumentDescription("machine_uuid", .string)]),
    ])

  /// Asks for the description of the object as XML.
  package static let introspectable = InterfaceDescription(
    "org.freedesktop.DBus.Introspectable",
    methods: [MethodDescription("Introspect", out: [ArgumentDescription("xml_data", .string)])])

  /// Reading, setting and following the object's properties.
  package static let properties = InterfaceDescription(
    "org.freedesktop.DBus.Properties",
    methods: [
      MethodDescription(
        "Get",
        in: [ArgumentDescription("interface_name", .string), ArgumentDescription("property_name", .string)],
        out: [ArgumentDescription("value", .variant)]),
      MethodDescription(
        "Set",
        in: [
          ArgumentDescription("interface_name", .string), ArgumentDescription("property_name", .string),
          ArgumentDescription("value", .variant),
        ]),
      MethodDescription(
        "GetAll", in: [ArgumentDescription("interface_name", .string)],
        out: [ArgumentDescription("properties", "a{sv}")]),
    ],
    signals: [
      SignalDescription(
        "PropertiesChanged",
        [
          ArgumentDescription("interface_name", .string), ArgumentDescription("changed_properties", "a{sv}"),
          ArgumentDescription("invalidated_properties", "as"),
        ])
    ])

  /// All standard interfaces, in the order of their names.
  package static let all = [introspectable, peer, properties]
}

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
