// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("A private bus")
struct PrivateBusTests {
  private func call(_ bus: PrivateBus, _ method: String, _ arguments: [String] = []) throws -> String {
    let send = try Program.named("dbus-send", package: "dbus-bin")
    let target = [
      "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
    ]
    return try Child.run(
      send, target + ["org.freedesktop.DBus.\(method)"] + arguments, environment: bus.environment)
  }

  @Test("has nobody on it but who is let on, and starts no service")
  func empty() throws {
    let bus = try PrivateBus()
    #expect(try !call(bus, "ListNames").contains("org.mpris"))
    let startable = try call(bus, "ListActivatableNames")
    #expect(
      startable.split(separator: " ").filter { $0.hasPrefix("org.") }.allSatisfy {
        $0 == "org.freedesktop.DBus"
      })
    try bus.stop()
  }

  @Test("starts the services that it is given, in its own environment")
  func activation() throws {
    let folder = try TemporaryDirectory()
    let witness = folder.path("witness")
    try folder.write(
      "a.service",
      "[D-BUS Service]\nName=org.fermata.Test\nExec=/bin/sh -c 'env > \(witness); exit 1'\n")
    let bus = try PrivateBus(serviceFolders: [folder.path], activationEnvironment: ["FERMATA": "yes"])
    #expect(throws: KitError.self) {
      try call(bus, "StartServiceByName", ["string:org.fermata.Test", "uint32:0"])
    }
    let seen = try Child.run(.named("cat", package: "coreutils"), [witness])
    #expect(seen.contains("FERMATA=yes\n") && seen.contains("DBUS_SESSION_BUS_ADDRESS=\(bus.address)"))
    try bus.stop()
  }
}
