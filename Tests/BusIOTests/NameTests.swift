// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Glibc
import Testing

@Suite("Names on the bus", .serialized)
struct NameTests {
  private static let name: BusName = "org.fermata.Test"

  @Test("a name has one owner, and nobody waits for it")
  func ownership() async throws {
    try await onLoop { @AgentLoop in
      let bus = try PrivateBus()
      let (one, two) = (try await bus.connect(), try await bus.connect())
      #expect(try await one.requestName(Self.name))
      #expect(try await !two.requestName(Self.name))
      #expect(try await two.owner(of: Self.name) == one.uniqueName)
      try await one.releaseName(Self.name)
      #expect(try await two.owner(of: Self.name) == nil)
      #expect(try await two.requestName(Self.name))
      #expect(try await one.owner(of: Self.name) == two.uniqueName)
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
      try await two.releaseName(Self.name)
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
