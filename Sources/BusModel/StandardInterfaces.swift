// SPDX-License-Identifier: MIT

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
