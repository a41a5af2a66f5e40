// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FermataTestKit
import Glibc
import Testing

@testable import BusIO

@Suite("Hostile callers", .serialized)
struct HostileTests {
  @Test("a message that would cost too much is turned away, and the connection lives")
  func huge() async throws {
    try await onLoop { @AgentLoop in
      var limits = BusLimits()
      limits.valueBytes = 1 << 20
      let stage = try await Stage(limits: limits)
      let text = WireValue.string(String(repeating: "x", count: 8 << 20))
      let bytes = WireValue.array(.byte, Array(repeating: .byte(0), count: 1 << 18))
      for value in [text, bytes] {
        #expect(await stage.failure("Echo", [.variant(value)])?.name == .limitsExceeded)
        #expect(await stage.failure("Later", [value])?.name == .limitsExceeded)
      }
      // Types cost memory too, though few bytes in the message.
      var deep = WireType.basic(.byte)
      for _ in 0..<30 { deep = .array(deep) }
      guard case .array(let inner) = deep else { return }
      let types = WireValue.array(.variant, Array(repeating: .variant(.array(inner, [])), count: 8_000))
      #expect(await stage.failure("Echo", [.variant(types)])?.name == .limitsExceeded)
      // What a caller wrote is not repeated to him at any length.
      let name = WireValue.string(String(repeating: "n", count: 500_000))
      let error = await stage.failure("Get", [name, name], StandardInterfaces.properties.name)
      #expect(error?.name == .unknownInterface && (error?.message.utf8.count ?? .max) <= 1_024)
      #expect(try await stage.call("Number", [.uint32(1)]) == [.uint32(1)])
    }
  }

  @Test("file descriptors are refused, plain or in a variant, and the connection lives")
  func descriptors() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let raw = try await RawClient(stage.bus)
      for isWrapped in [false, true] {
        let message = BusMessage.call(.sample(stage.owner, "Echo"))
        message.appendDescriptor(STDIN_FILENO, inVariant: isWrapped)
        let call = raw.send(message)
        await raw.answer(to: call)
        #expect(raw.errors.contains(call) && raw.lastError?.name == .invalidArgs)
        #expect(raw.lastError?.message == WireError.fileDescriptor.description)
      }
      #expect(raw.isWelcome && stage.server.isOpen)
      #expect(try await stage.call("Number", [.uint32(1)]) == [.uint32(1)])
    }
  }

  @Test("variants as deep as the format allows come through")
  func deep() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let deep = (0..<64).reduce(WireValue.byte(1)) { value, _ in .variant(value) }
      #expect(try await stage.call("Echo", [deep]) == [deep])
    }
  }

  @Test("whatever a method is called with, there is an answer")
  func anything() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var random = WireRandom(seed: 31)
      let members: [MemberName] = [
        "Echo", "Number", "Pair", "Later", "Get", "Set", "GetAll", "Introspect", "Ping",
      ]
      let interfaces = [Sample.name] + StandardInterfaces.all.map(\.name)
      var failures: Set<InterfaceName> = []
      for _ in 0..<1_000 {
        let arguments = (0..<random.below(4)).map { _ in random.value(of: random.type(depth: 2)) }
        let (member, interface) = (members[random.below(members.count)], interfaces[random.below(4)])
        if let error = await stage.failure(member, arguments, interface) { failures.insert(error.name) }
      }
      #expect(failures.isSubset(of: [.invalidArgs, .unknownMethod, .unknownInterface, .unknownProperty]))
      #expect(failures.count >= 3)
    }
  }
}
