// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Testing

@Suite("Other people's programs", .serialized)
struct InteroperabilityTests {
  private func withStage(_ body: (PrivateBus, String) throws -> Void) async throws {
    let stage = try await onLoop { @AgentLoop in try await Stage() }
    try body(stage.bus, stage.owner.text)
    await AgentLoop.task { stage.server.close() }.value
  }

  /// What a program wrote, be it an answer or why it failed.
  private func said(_ bus: PrivateBus, _ arguments: [String]) -> String {
    do { return try bus.run(arguments) } catch { return "\(error)" }
  }

  @Test("gdbus gets every type back as it sent it")
  func gdbus() async throws {
    let values = [
      "byte 0x07", "true", "int16 -5", "uint16 5", "-5", "uint32 5", "int64 -5", "uint64 5", "0.5", "'é'",
      "objectpath '/a'", "signature 'a{sv}'", "['a', 'b']", "@as []", "{'k': <1>, 'l': <['x']>}",
      "('a', 1, [(true,)])",
      "<<'x'>>", "@a{sv} {}", "@a(oss) []",
    ]
    try await withStage { (bus, owner) throws in
      for value in values {
        let output = try bus.run([
          "gdbus", "call", "--session", "--dest", owner, "--object-path", Sample.path.text, "--method",
          "\(Sample.name).Echo", "<\(value)>",
        ])
        #expect(output == "(<\(value)>,)\n")
      }
    }
  }

  @Test(
    "busctl and dbus-send get theirs, and dbus-send the names of errors",
    arguments: [
      (
        ["busctl", "call", "OWNER", "PATH", "org.fermata.Sample1", "Echo", "v", "a{sv}", "1", "k", "s", "x"],
        "v a{sv} 1 \"k\" s \"x\"\n"
      ),
      (["busctl", "get-property", "OWNER", "PATH", "org.fermata.Sample1", "Volume"], "d 0.5\n"),
      (["dbus-send", "PATH", "org.fermata.Sample1.Echo", "variant:int64:-7"], "variant       int64 -7"),
      (
        ["dbus-send", "PATH", "org.fermata.Sample1.Echo", "string:x"],
        "Error org.freedesktop.DBus.Error.InvalidArgs"
      ),
    ] as [([String], String)])
  func others(arguments: [String], expected: String) async throws {
    try await withStage { (bus, owner) throws in
      let prefix =
        arguments[0] == "busctl"
        ? ["busctl", "--address=" + bus.address]
        : ["dbus-send", "--session", "--print-reply", "--dest=" + owner]
      let rest = arguments.dropFirst().map { ["OWNER": owner, "PATH": Sample.path.text][$0] ?? $0 }
      #expect(said(bus, prefix + rest).contains(expected))
    }
  }

  @Test("others can read our introspection")
  func introspection() async throws {
    try await withStage { (bus, owner) throws in
      let output = try bus.run([
        "gdbus", "introspect", "--session", "--recurse", "--dest", owner, "--object-path", "/",
      ])
      for line in [
        "readwrite d Volume", "Happened(s text)", "Echo(in  v value", "interface org.freedesktop.DBus.Peer",
      ] {
        #expect(output.contains(line), "\(output)")
      }
    }
  }
}
