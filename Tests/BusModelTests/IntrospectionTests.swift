// SPDX-License-Identifier: MIT
import BusModel
import Testing

@Suite("Introspection")
struct IntrospectionTests {
  private let sample = InterfaceDescription(
    "org.fermata.Sample1",
    methods: [
      MethodDescription("Ping"),
      MethodDescription(
        "Add", in: [ArgumentDescription("uris", "as")], out: [ArgumentDescription("ids", "at")]),
    ],
    signals: [SignalDescription("Gone"), SignalDescription("Moved", [ArgumentDescription("to", .int64)])],
    properties: [
      PropertyDescription("Volume", .double, .readWrite),
      PropertyDescription("Position", .int64, changes: .silently),
      PropertyDescription("Identity", .string, changes: .never),
    ])

  @Test("an interface is written in one way only")
  func document() {
    let expected = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>
        <interface name="org.fermata.Sample1">
          <method name="Ping"/>
          <method name="Add">
            <arg name="uris" type="as" direction="in"/>
            <arg name="ids" type="at" direction="out"/>
          </method>
          <signal name="Gone"/>
          <signal name="Moved">
            <arg name="to" type="x"/>
          </signal>
          <property name="Volume" type="d" access="readwrite"/>
          <property name="Position" type="x" access="read">
            <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
          </property>
          <property name="Identity" type="s" access="read">
            <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
          </property>
        </interface>
        <node name="child"/>
      </node>

      """
    #expect(IntrospectionXML.document([sample], children: ["child"]) == expected)
  }

  @Test("members are found by name, and only in their own kind")
  func lookUp() {
    #expect(sample.method("Add")?.outputs.first?.type == "at")
    #expect(sample.signal("Moved")?.arguments.count == 1)
    #expect(sample.property("Volume")?.access == .readWrite)
    #expect(sample.method("Volume") == nil && sample.property("Add") == nil && sample.signal("Add") == nil)
  }

  @Test("the standard interfaces are those of the specification")
  func standard() {
    #expect(
      StandardInterfaces.all.map(\.name.text)
        == ["Introspectable", "Peer", "Properties"].map { "org.freedesktop.DBus." + $0 })
    #expect(StandardInterfaces.properties.method("Set")?.inputs.map(\.type.description) == ["s", "s", "v"])
  }
}
