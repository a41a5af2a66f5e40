// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Testing

@Suite("Losing the bus", .serialized)
struct LossTests {
  @Test("a bus that dies is an event, told once, and ends what was under way")
  func killed() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var losses: [BusLoss] = []
      let bus = stage.bus
      stage.sample.answerLater = {
        bus.kill()
        return []
      }
      let loss = await withUnsafeContinuation { done in
        stage.client.onLoss = {
          losses.append($0)
          done.resume(returning: $0)
        }
        AgentLoop.task { #expect(await stage.failure("Later")?.name == .disconnected) }
      }
      #expect(loss == .disconnected && losses.count == 1)
      #expect(!stage.client.isOpen && stage.client.callsUnderWay == 0)
      await #expect(throws: BusError.self) { try await stage.bus.connect() }
    }
  }

  @Test("closing is no loss")
  func closed() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var losses = 0
      stage.client.onLoss = { _ in losses += 1 }
      stage.client.close()
      _ = try await stage.bus.connect().owner(of: stage.owner)
      #expect(losses == 0)
    }
  }

  @Test("a handler may end the very connection that it is called on")
  func endedFromWithin() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let holder = Holder(try await stage.bus.connect())
      var heard = 0
      let subscription = try await holder.connection?.subscribe(MatchRule(member: "Happened")) { _ in
        heard += 1
        holder.connection?.close()
        holder.connection = nil
      }
      for _ in 0..<20 {
        try stage.server.emit(BusSignal(path: "/", interface: Sample.name, member: "Happened"))
      }
      for _ in 0..<1_000 where heard == 0 { _ = try await stage.client.owner(of: stage.owner) }
      #expect(heard == 1 && holder.connection == nil)
      subscription?.cancel()
    }
  }

  @AgentLoop private final class Holder {
    var connection: BusConnection?
    init(_ connection: BusConnection) { self.connection = connection }
  }

  @Test("a bus that doesn't read costs no more than the bound, and then the connection")
  func congested() async throws {
    try await onLoop { @AgentLoop in
      var limits = BusLimits()
      limits.outgoingBytes = 1 << 20
      let stage = try await Stage(limits: limits)
      stage.bus.freeze()
      defer { stage.bus.thaw() }
      let text = WireValue.string(String(repeating: "x", count: 100_000))
      var sent = 0
      let loss = await withUnsafeContinuation { done in
        stage.server.onLoss = { done.resume(returning: $0) }
        while stage.server.isOpen && sent < 100 {
          try? stage.server.emit(
            BusSignal(path: Sample.path, interface: Sample.name, member: "Happened", arguments: [text]))
          sent += 1
        }
      }
      guard case .congested(let bytes) = loss else {
        Issue.record("\(loss)")
        return
      }
      // Not much more than the bound: one message at most.
      #expect(bytes > 1 << 20 && bytes < 1 << 20 + 110_000)
      #expect(sent < 20 && !stage.server.isOpen)
    }
  }

  @Test("whoever asks for more at once than can go out is answered bit by bit, and nobody loses the bus")
  func hasty() async throws {
    try await onLoop { @AgentLoop in
      var limits = BusLimits()
      (limits.unsentBytes, limits.outgoingBytes) = (1 << 17, 1 << 20)
      let stage = try await Stage(limits: limits)
      let text = WireValue.variant(.string(String(repeating: "x", count: 100_000)))
      let asked = (0..<100).map { _ in
        AgentLoop.task(throwing: { try await stage.call("Echo", [text]) })
      }
      for answer in asked { #expect(try await answer.value == [text]) }
      #expect(stage.server.isOpen)
    }
  }

  @Test("letting go of a connection closes it")
  func letGo() async throws {
    try await onLoop { @AgentLoop in
      let bus = try PrivateBus()
      let watcher = try await bus.connect()
      var other: BusConnection? = try await bus.connect()
      let name = try #require(other?.uniqueName)
      var gone = false
      let subscription = try await watcher.nameOwnerChanges(of: name) { gone = $0.newOwner == nil }
      other = nil
      // The bus sees the end of the socket before our next questions, if not before the first.
      for _ in 0..<1_000 where !gone { _ = try await watcher.owner(of: name) }
      #expect(gone)
      subscription.cancel()
    }
  }
}
