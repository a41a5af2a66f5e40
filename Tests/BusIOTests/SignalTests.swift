// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Testing

@Suite("Signals", .serialized)
struct SignalTests {
  @AgentLoop private final class Log { var heard: [String] = [] }

  private static func happened(_ text: String, path: ObjectPath = Sample.path) -> BusSignal {
    BusSignal(path: path, interface: Sample.name, member: "Happened", arguments: [.string(text)])
  }

  @Test("each listener hears what it asked for, once and in order, until it is cancelled")
  func listeners() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let log = Log()
      func listen(_ name: String, _ rule: MatchRule) async throws -> BusSubscription {
        try await stage.client.subscribe(rule) { log.heard.append("\(name) \($0.arguments)") }
      }
      let all = try await listen("all", MatchRule(interface: Sample.name))
      let same = try await listen("same", MatchRule(interface: Sample.name))
      var rule = MatchRule(member: "Happened")
      rule.firstArgument = "it's"
      let one = try await listen("one", rule)
      let other = try await listen("other", MatchRule(path: "/other"))
      for text in ["a", "it's"] { try stage.server.emit(Self.happened(text)) }
      _ = try await stage.call("Number", [.uint32(1)])
      let expected = [
        "all \([WireValue.string("a")])", "same \([WireValue.string("a")])",
        "all \([WireValue.string("it's")])",
        "same \([WireValue.string("it's")])", "one \([WireValue.string("it's")])",
      ]
      #expect(log.heard == expected)
      all.cancel()
      one.cancel()
      try stage.server.emit(Self.happened("b"))
      _ = try await stage.call("Number", [.uint32(1)])
      #expect(log.heard == expected + ["same \([WireValue.string("b")])"])
      same.cancel()
      other.cancel()
      #expect(stage.client.rulesAtBus == 0)
    }
  }

  @Test("a listener that cancels another from within silences it at once")
  func cancelWithin() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var heard: [String] = []
      var second: BusSubscription?
      let first = try await stage.client.subscribe(MatchRule(interface: Sample.name)) { _ in
        heard.append("first")
        second = nil
      }
      second = try await stage.client.subscribe(MatchRule(member: "Happened")) { _ in heard.append("second") }
      #expect(second != nil)
      try stage.server.emit(Self.happened("x"))
      _ = try await stage.call("Number", [.uint32(1)])
      #expect(heard == ["first"])
      first.cancel()
    }
  }

  @Test("signals of a well-known name are those of whoever has it")
  func wellKnown() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let name: BusName = "org.fermata.Test"
      _ = try await stage.server.requestName(name)
      var heard: [BusName?] = []
      let subscription = try await stage.client.subscribe(MatchRule(sender: name, member: "Happened")) {
        heard.append($0.sender)
      }
      // A second rule brings everybody's signals, which the first must not take for the name's.
      let everybody = try await stage.client.subscribe(MatchRule(member: "Happened")) { _ in }
      let other = try await stage.bus.connect()
      try stage.server.emit(Self.happened("1"))
      try other.emit(Self.happened("2"))
      _ = try await stage.call("Number", [.uint32(1)])
      try await stage.server.releaseName(name)
      _ = try await other.requestName(name)
      try stage.server.emit(Self.happened("3"))
      try other.emit(Self.happened("4"))
      _ = try await other.call(.sample(stage.owner, "Number"), [.uint32(1)])
      _ = try await stage.call("Number", [.uint32(1)])
      #expect(heard == [stage.owner, other.uniqueName])
      subscription.cancel()
      everybody.cancel()
      #expect(stage.client.rulesAtBus == 0)
    }
  }

  @Test("changes of properties go out with their values")
  func propertiesChanged() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var heard: [[WireValue]] = []
      let subscription = try await stage.client.subscribe(MatchRule(member: "PropertiesChanged")) {
        heard.append($0.arguments)
      }
      try stage.server.propertiesChanged(
        at: Sample.path, Sample.name, [("Volume", .double(1))], invalidated: ["Identity"])
      _ = try await stage.call("Number", [.uint32(1)])
      #expect(
        heard == [[.string(Sample.name.text), .properties([("Volume", .double(1))]), ["Identity"].wireValue]])
      subscription.cancel()
    }
  }

  @Test("a signal to one connection is heard by nobody else, and only the bus speaks of names")
  func unicast() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let name: BusName = "org.fermata.Agent"
      var changes: [BusNameChange] = []
      let subscription = try await stage.client.nameOwnerChanges(of: name) { changes.append($0) }
      let everything = try await stage.client.subscribe(MatchRule()) { _ in }
      let forged = BusSignal(
        path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: .arguments(name.text, "", stage.owner.text))
      try stage.server.emit(forged, to: stage.client.uniqueName)
      _ = try await stage.call("Number", [.uint32(1)])
      #expect(changes.isEmpty)
      subscription.cancel()
      everything.cancel()
    }
  }

  @Test("a rule that the bus refuses throws, and leaves nothing behind")
  func refused() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var rule = MatchRule()
      rule.firstArgument = String(repeating: "longer than the bus takes", count: 1_000)
      await #expect(throws: BusError.self) { try await stage.client.subscribe(rule) { _ in } }
      #expect(stage.client.rulesAtBus == 0)
    }
  }
}
