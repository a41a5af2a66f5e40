// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Glibc
import Testing

@Suite("Names on the bus")
struct NameTests {
  private static let name: BusName = "org.fermata.Test"

  @Test("a name has one owner, a queue, and goes to who may replace")
  func ownership() async throws {
    try await onLoop { @AgentLoop in
      let bus = try PrivateBus()
      let (one, two) = (try await bus.connect(), try await bus.connect())
      var events: [String] = []
      one.onNameEvent = { events.append("one \($0)") }
      two.onNameEvent = { events.append("two \($0)") }
      #expect(try await one.requestName(Self.name, .allowReplacement) == .owned)
      #expect(try await one.requestName(Self.name, .allowReplacement) == .alreadyOwned)
      #expect(try await two.requestName(Self.name, .doNotQueue) == .taken)
      #expect(try await two.requestName(Self.name) == .queued)
      #expect(try await two.requestName(Self.name, .replaceExisting) == .owned)
      #expect(try await two.owner(of: Self.name) == two.uniqueName)
      #expect(try await one.owner(of: Self.name) == two.uniqueName)
      #expect(try await two.releaseName(Self.name))
      #expect(try await one.owner(of: Self.name) == one.uniqueName)
      #expect(try await !two.releaseName(Self.name))
      #expect(try await one.releaseName(Self.name))
      #expect(try await two.owner(of: Self.name) == nil)
      let (acquired, lost) = (BusNameEvent.acquired(Self.name), BusNameEvent.lost(Self.name))
      #expect(
        events.filter { $0.hasPrefix("one") && $0.contains("Test") }
          == ["one \(acquired)", "one \(lost)", "one \(acquired)", "one \(lost)"])
      #expect(
        events.filter { $0.hasPrefix("two") && $0.contains("Test") } == ["two \(acquired)", "two \(lost)"])
    }
  }

  @Test("changes of owner are told for the name that is asked for")
  func changes() async throws {
    try await onLoop { @AgentLoop in
      let bus = try PrivateBus()
      let (one, two) = (try await bus.connect(), try await bus.connect())
      var changes: [BusNameChange] = []
      let subscription = try await one.nameOwnerChanges(of: Self.name) { changes.append($0) }
      _ = try await two.requestName("org.fermata.Other")
      _ = try await two.requestName(Self.name)
      _ = try await two.releaseName(Self.name)
      _ = try await one.owner(of: Self.name)
      #expect(changes.map(\.name) == [Self.name, Self.name])
      #expect(
        changes.map(\.newOwner) == [two.uniqueName, nil] && changes.map(\.oldOwner) == [nil, two.uniqueName])
      subscription.cancel()
    }
  }

  @Test("a caller's process is known, and that of nobody is an error")
  func process() async throws {
    try await onLoop { @AgentLoop in
      let bus = try PrivateBus()
      let one = try await bus.connect()
      let name = try #require(one.uniqueName)
      #expect(try await one.processID(of: name) == UInt32(getpid()))
      await #expect { try await one.processID(of: ":1.999") } throws: {
        ($0 as? BusError)?.name == .nameHasNoOwner
      }
      await #expect { try await one.start("org.fermata.Nobody") } throws: {
        ($0 as? BusError)?.name == .serviceUnknown
      }
    }
  }
}
