// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus
import FermataTestKit
import Testing

@testable import BusIO

@Suite("Exported objects", .serialized)
struct ObjectTests {
  private static let properties = StandardInterfaces.properties.name

  @Test("a value of every type comes back as it went")
  func echo() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var random = WireRandom(seed: 11)
      for round in 0..<300 {
        let value = random.value(of: random.type(depth: 3))
        guard (try? Signature([value.type])) != nil else { continue }
        #expect(try await stage.call("Echo", [.variant(value)]) == [.variant(value)], "round \(round)")
      }
      let table: WireValue = .properties([("x", .array("(oss)", []))])
      #expect(try await stage.call("Pair", [.string("é"), table]) == [table, .string("é")])
    }
  }

  @Test("what is asked wrongly is answered with the name of what is wrong")
  func errors() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      #expect(await stage.failure("Nothing")?.name == .unknownMethod)
      #expect(await stage.failure("Echo", [], "a.b")?.name == .unknownInterface)
      #expect(await stage.failure("Echo")?.name == .invalidArgs)
      #expect(
        await stage.failure("Echo", [.string("x")])
          == .invalidArguments("argument 1 is of type s, expected is v"))
      #expect(await stage.failure("Later", [.string("x")])?.name == .invalidArgs)
      #expect(await stage.failure("Fail") == BusError("org.fermata.Error.Sample", "it's "))
      #expect(await stage.failure("Lie")?.name == .failed)
      let nowhere = BusTarget(stage.owner, "/nowhere", Sample.name, "Echo")
      await #expect(throws: BusError.unknownObject("/nowhere")) { try await stage.client.call(nowhere) }
    }
  }

  @Test("properties are read and set one by one, and only as described")
  func properties() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let sample = WireValue.string(Sample.name.text)
      func get(_ name: String) async throws(BusError) -> [WireValue] {
        try await stage.call("Get", [sample, .string(name)], Self.properties)
      }
      func set(_ name: String, _ value: WireValue, of interface: WireValue = sample) async -> InterfaceName? {
        await stage.failure("Set", [interface, .string(name), .variant(value)], Self.properties)?.name
      }
      #expect(try await get("Volume") == [.variant(.double(0.5))])
      #expect(await set("Volume", .double(0.25)) == nil)
      #expect(stage.sample.volume == 0.25)
      #expect(await set("Volume", .double(0.75), of: .string("")) == nil)
      #expect(stage.sample.volume == 0.75)
      #expect(await set("Volume", .string("loud")) == .invalidArgs)
      #expect(await set("Volume", .double(-1)) == .invalidArgs)
      #expect(await set("Identity", .string("other")) == .propertyReadOnly)
      #expect(await set("Nothing", .double(1)) == .unknownProperty)
      #expect(await set("bad name", .double(1)) == .unknownProperty)
      #expect(await set("Volume", .double(1), of: .string("a.b")) == .unknownInterface)
      #expect(stage.sample.volume == 0.75)
      for (name, error) in [
        ("Nothing", InterfaceName.unknownProperty), ("Broken", .failed), ("Wrong", .failed),
      ] {
        await #expect { try await get(name) } throws: { ($0 as? BusError)?.name == error }
      }
    }
  }

  @Test("all properties come at once, and one that fails hides no other")
  func getAll() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      func all(_ interface: String) async throws(BusError) -> [WireValue] {
        try await stage.call("GetAll", [.string(interface)], Self.properties)
      }
      let expected = WireValue.properties([("Volume", .double(0.5)), ("Identity", .string("Sample"))])
      #expect(try await all(Sample.name.text) == [expected])
      #expect(try await all("") == [expected])
      #expect(try await all("org.freedesktop.DBus.Peer") == [.properties([])])
      #expect(await stage.failure("GetAll", [.string("a.b")], Self.properties)?.name == .unknownInterface)
    }
  }

  @Test("every path leads to its objects by Introspect, and none leads nowhere")
  func introspection() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      func document(_ path: ObjectPath) async throws -> String {
        let target = BusTarget(stage.owner, path, StandardInterfaces.introspectable.name, "Introspect")
        return try await stage.client.call(target).decoded(as: String.self)
      }
      let standard = StandardInterfaces.all
      #expect(try await document("/") == IntrospectionXML.document(standard, children: ["org"]))
      #expect(try await document(Sample.path) == IntrospectionXML.document([Sample.description] + standard))
      stage.server.export([], at: "/org/fermata/Sample/Inner")
      #expect(
        try await document(Sample.path)
          == IntrospectionXML.document([Sample.description] + standard, children: ["Inner"]))
      await #expect(throws: BusError.unknownObject("/org/fermat")) { try await document("/org/fermat") }
    }
  }

  @Test("Ping is answered at any path, and the machine has an id")
  func peer() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let peer = StandardInterfaces.peer.name
      #expect(try await stage.client.call(BusTarget(stage.owner, "/no/where", peer, "Ping")) == [])
      #expect(await stage.failure("Ping", [.byte(1)], peer)?.name == .invalidArgs)
      do throws(BusError) {
        let machine = try await stage.call("GetMachineId", [], peer).decoded(as: String.self)
        #expect(machine.count == 32)
      } catch {
        // A machine without an id says so.
        #expect(error.name == .failed)
      }
    }
  }

  @Test("who wants no answer gets none, neither value nor error")
  func silence() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let raw = try await RawClient(stage.bus)
      for member in ["Fail", "Nothing", "Later", "Ping"] as [MemberName] {
        raw.send(BusMessage.call(.sample(stage.owner, member), expectsReply: false))
      }
      let last = raw.send(BusMessage.call(.sample(stage.owner, "Later")))
      await raw.answer(to: last)
      #expect(raw.answers == [last])
    }
  }

  @Test("a call that names no interface gets the first that has the method")
  func noInterface() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let raw = try await RawClient(stage.bus)
      for (member, fails) in [("Later", false), ("Ping", false), ("Nothing", true)] as [(MemberName, Bool)] {
        let message = BusMessage.call(.sample(stage.owner, member))
        dbus_message_set_interface(message.raw, nil)
        let call = raw.send(message)
        await raw.answer(to: call)
        #expect(raw.errors.contains(call) == fails)
      }
    }
  }

  @Test("an answer may come later, after others, and as an error")
  func later() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var commit: UnsafeContinuation<Void, Never>?
      stage.sample.answerLater = {
        await withUnsafeContinuation { commit = $0 }
        throw BusError("org.fermata.Error.Full", "the disk is full")
      }
      let slow = AgentLoop.task { await stage.failure("Later") }
      #expect(try await stage.call("Number", [.uint32(1)]) == [.uint32(1)])
      while commit == nil { _ = try await stage.call("Number", [.uint32(2)]) }
      commit?.resume()
      #expect(await slow.value == BusError("org.fermata.Error.Full", "the disk is full"))
    }
  }

  @Test("calls that wait beyond the limit are turned away, and room comes back")
  func limit() async throws {
    try await onLoop { @AgentLoop in
      var limits = BusLimits()
      limits.callsInProgress = 2
      let stage = try await Stage(limits: limits)
      var waiting: [UnsafeContinuation<Void, Never>] = []
      stage.sample.answerLater = {
        await withUnsafeContinuation { waiting.append($0) }
        return []
      }
      let calls = (0..<2).map { _ in AgentLoop.task { await stage.failure("Later") } }
      while waiting.count < 2 { _ = try await stage.call("Number", [.uint32(1)]) }
      #expect(await stage.failure("Later")?.name == .limitsExceeded)
      for wait in waiting { wait.resume() }
      for call in calls { #expect(await call.value == nil) }
      stage.sample.answerLater = { [] }
      #expect(await stage.failure("Later") == nil)
    }
  }

  @Test("who floods us is turned away, and others are served")
  func share() async throws {
    try await onLoop { @AgentLoop in
      var limits = BusLimits()
      limits.callsOfCaller = 2
      let stage = try await Stage(limits: limits)
      let other = try await BusConnection.open(.address(stage.bus.address), timeout: .patience)
      var waiting: [UnsafeContinuation<Void, Never>] = []
      stage.sample.answerLater = {
        await withUnsafeContinuation { waiting.append($0) }
        return []
      }
      let calls = (0..<2).map { _ in AgentLoop.task { await stage.failure("Later") } }
      while waiting.count < 2 { _ = try await other.call(.sample(stage.owner, "Number"), [.uint32(1)]) }
      #expect(await stage.failure("Later")?.name == .limitsExceeded)
      let its = AgentLoop.task {
        try? await other.call(.sample(stage.owner, "Later"), [], timeout: .patience)
      }
      while waiting.count < 3 { _ = try await other.call(.sample(stage.owner, "Number"), [.uint32(1)]) }
      for wait in waiting { wait.resume() }
      for call in calls { #expect(await call.value == nil) }
      #expect(await its.value != nil)
      other.close()
    }
  }

  @Test("callers with many bytes in waiting calls are turned away, and one without a waiting call never is")
  func bytes() throws {
    var limits = BusLimits()
    (limits.callsInProgress, limits.waitingBytes, limits.waitingBytesOfCaller) = (4, 100, 60)
    var calls = WaitingCalls(limits)
    let (first, second, third): (BusName, BusName, BusName) = (":1.1", ":1.2", ":1.3")
    func isServed(_ caller: BusName, _ bytes: Int) -> Bool {
      (try? calls.checkRoom(for: caller, bytes)) != nil
    }
    #expect(isServed(first, 1_000))
    calls.add(first, 50)
    #expect(isServed(first, 10) && !isServed(first, 11))
    calls.add(second, 45)
    #expect(isServed(second, 5) && !isServed(second, 6), "of all together")
    calls.add(first, 1)
    calls.add(second, 1)
    #expect(!isServed(first, 0) && isServed(third, 50), "too many, but none of the third")
    calls.remove(first, 50)
    calls.remove(first, 1)
    #expect(calls.count == 2 && isServed(first, 1_000))
  }

  @Test("while one call is prepared, those behind it wait, and are turned away beyond the limit")
  func preparation() async throws {
    try await onLoop { @AgentLoop in
      var limits = BusLimits()
      limits.callsInProgress = 4
      let stage = try await Stage(limits: limits)
      var ready: [UnsafeContinuation<Void, Never>] = []
      stage.server.preparation = { call in
        guard call.arguments == [.uint32(0)] else { return nil }
        return { await withUnsafeContinuation { ready.append($0) } }
      }
      var answered: [UInt32] = []
      let calls = ([1, 0, 2, 0, 3, 4] as [UInt32]).map { number in
        AgentLoop.task {
          let error = await stage.failure("Number", [.uint32(number)])
          answered.append(number)
          return error?.name
        }
      }
      // Neither the first call nor the one without room has to wait.
      for call in [calls[0], calls[5]] { _ = await call.value }
      #expect(answered == [1, 4] && stage.sample.calls.count == 1 && ready.count == 1)
      ready[0].resume()
      for call in calls[1...2] { _ = await call.value }
      while ready.count < 2 { _ = try? await stage.client.names() }
      #expect(answered == [1, 4, 0, 2] && stage.sample.calls.count == 3)
      // What came as an order is carried out also if the bus is lost before it is known who gave it.
      stage.server.close()
      ready[1].resume()
      while stage.sample.calls.count < 5 { _ = try await stage.client.names() }
      #expect(stage.sample.calls.map(\.arguments) == [1, 0, 2, 0, 3].map { [.uint32($0)] })
      for call in calls { call.cancel() }
      #expect(await calls[5].value == .limitsExceeded)
    }
  }

  @Test("1,000 calls in a burst are answered in their order")
  func burst() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      var answered: [UInt32] = []
      let calls = (0..<1_000 as Range<UInt32>).map { number in
        AgentLoop.task {
          let values = try? await stage.call("Number", [.uint32(number)])
          if case .uint32(let number)? = values?.first { answered.append(number) }
        }
      }
      for call in calls { await call.value }
      #expect(answered == Array(0..<1_000))
      #expect(stage.sample.calls.count == 1_000)
    }
  }
}
