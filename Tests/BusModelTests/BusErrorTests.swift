// SPDX-License-Identifier: MIT
import BusModel
import Testing

@Suite("Errors")
struct BusErrorTests {
  @Test(
    "each failing has the name of the specification, and names the thing",
    arguments: [
      (.unknownObject("/a"), "UnknownObject", "/a"),
      (.unknownInterface("a.b", at: "/"), "UnknownInterface", "a.b"),
      (.unknownMethod("M", of: "a.b"), "UnknownMethod", "a.b has no method M"),
      (.unknownProperty("P", of: "a.b"), "UnknownProperty", "a.b has no property P"),
      (.unknownProperty("P", of: ""), "UnknownProperty", "the object has no property P"),
      (.readOnly("P"), "PropertyReadOnly", "P"), (.limitsExceeded("full"), "LimitsExceeded", "full"),
      (.propertyType("P", expected: "d", found: "s"), "InvalidArgs", "P is of type d"),
      (.failed("x"), "Failed", "x"),
      (BusError(WireError.tooDeep), "LimitsExceeded", "64"),
      (BusError(WireError.nul("x")), "InvalidArgs", "NUL"),
      (BusError(WireError.tooLarge(limit: 9)), "LimitsExceeded", "9 bytes"),
      (BusError(WireError.fileDescriptor), "InvalidArgs", "file descriptors"),
    ] as [(BusError, String, String)])
  func names(error: BusError, name: String, part: String) {
    #expect(error.name.text == "org.freedesktop.DBus.Error." + name)
    #expect(error.message.contains(part))
    #expect(error.description.contains(name))
  }

  @Test("an error without a text is its name")
  func silent() { #expect(BusError(.failed, "").description == "org.freedesktop.DBus.Error.Failed") }
}
