// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Testing

@Suite("Calls", .serialized)
struct CallTests {
  /// What a call of the sample's slow method fails with when `meanwhile` happens during it.
  @AgentLoop
  private func failure(
    _ stage: Stage, timeout: Duration = .patience, _ meanwhile: @AgentLoop () async throws -> Void
  ) async throws -> BusError? {
    var hasBegun = false
    stage.sample.answerLater = {
      hasBegun = true
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return []
    }
    let task = AgentLoop.task { () -> BusError? in
      do throws(BusError) {
        _ = try await stage.client.call(.sample(stage.owner, "Later"), timeout: timeout)
        return nil
      } catch {
        return error
      }
    }
    while !hasBegun { _ = try await stage.call("Number", [.uint32(1)]) }
    try await meanwhile()
    return await task.value
  }

  @Test("an error that names many files arrives whole")
  func longError() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let text = (0..<23).map { String(repeating: "x", count: 900) + "\($0)" }.joined(separator: "\n")
      stage.sample.answerLater = { throw BusError.failed(text) }
      #expect(await stage.failure("Later")?.message == text)
    }
  }

  @Test("a call that nobody answers ends by its time-out, and nothing is left of it")
  func timeout() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let error = try await failure(stage, timeout: .milliseconds(30)) {}
      #expect(error?.name == .noReply)
      #expect(error?.message.contains("Later") == true)
      #expect(stage.client.callsUnderWay == 0)
      #expect(try await stage.call("Number", [.uint32(3)]) == [.uint32(3)])
    }
  }

  @Test("a peer that vanishes in the middle of a call ends it at once")
  func vanishedPeer() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let error = try await failure(stage) { stage.server.close() }
      #expect(error?.name == .noReply)
      #expect(stage.client.callsUnderWay == 0)
    }
  }

  @Test("closing ends the calls under way and refuses new ones")
  func closed() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      #expect(try await failure(stage) { stage.client.close() }?.name == .disconnected)
      #expect(stage.client.callsUnderWay == 0 && !stage.client.isOpen)
      #expect(await stage.failure("Echo", [.variant(.byte(1))])?.name == .disconnected)
      stage.client.close()
    }
  }

  @Test("a cancelled task gets its error, and the late answer harms nobody")
  func cancelled() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let task = AgentLoop.task { await stage.failure("Number", [.uint32(1)]) }
      task.cancel()
      #expect(await task.value?.name == .cancelled)
      #expect(stage.client.callsUnderWay == 0)
      #expect(try await stage.call("Number", [.uint32(2)]) == [.uint32(2)])
    }
  }

  @Test(
    "a cancelled task gets the same error on a busy machine, where the answer is read before the cancellation"
  )
  func cancelledLate() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let task = AgentLoop.task { await stage.failure("Number", [.uint32(1)]) }
      task.cancel()
      // Each of these takes a whole turn, so that the loop looks at its descriptors before it goes on with jobs that came later.
      for _ in 0..<10 { AgentLoop.task { Self.takeTurn() } }
      #expect(await task.value?.name == .cancelled)
    }
  }

  @AgentLoop
  private static func takeTurn() {
    let end = AgentLoop.now + .milliseconds(25)
    while AgentLoop.now < end {}
  }

  @Test("what cannot travel is refused before it reaches anybody")
  func unfit() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      #expect(await stage.failure("Echo", [.variant(.string("a\0b"))])?.name == .invalidArgs)
      #expect(await stage.failure("Echo", [.variant(.structure([]))])?.name == .invalidArgs)
      let deep = (0..<70).reduce(WireValue.byte(1)) { value, _ in .variant(value) }
      #expect(await stage.failure("Echo", [deep])?.name == .limitsExceeded)
      #expect(throws: BusError.self) {
        try stage.client.emit(BusSignal(path: "/", interface: "a.b", member: "M", arguments: [.string("\0")]))
      }
      #expect(stage.client.callsUnderWay == 0 && stage.sample.calls.isEmpty)
    }
  }

  @Test("there is no bus at a wrong address, and the error says where")
  func noBus() async throws {
    try await onLoop { @AgentLoop in
      for address in ["unix:path=/nowhere/bus", "nonsense", ""] {
        await #expect { try await BusConnection.open(.address(address)) } throws: {
          ($0 as? BusError)?.message.contains(address) == true
        }
      }
    }
  }
}
