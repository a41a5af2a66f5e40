// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus
import FermataTestKit
import Testing

@testable import BusIO

@Suite("Messages from outside", .serialized)
struct FuzzTests {
  @Test("10,000 mutated messages are read, or refused, and never trap")
  func reader() throws {
    var random = WireRandom(seed: 21)
    var (taken, read) = (0, 0)
    for _ in 0..<10_000 {
      let bytes = random.mutated(random.messageBytes())
      guard let message = BusMessage.taken(bytes) else { continue }
      taken += 1
      let limit = random.below(2) == 0 ? 500 : 1 << 20
      if let values = try? MessageReader.arguments(of: message, limit: limit) {
        read += 1
        // What is read can be written again.
        #expect(throws: Never.self) { try MessageWriter.check(values, limit: .max) }
      }
      _ = (message.sender, message.member, message.errorName, message.signalHeader, message.kind)
    }
    // The mutations are neither all harmless nor all fatal.
    #expect(taken > 1_000 && taken < 9_000 && read > 1_000 && read < taken)
  }

  @Test("what is written is read the same, whatever it is")
  func roundTrip() throws {
    var random = WireRandom(seed: 22)
    for round in 0..<3_000 {
      let values = (0..<random.below(4)).map { _ in random.value(of: random.type(depth: 3)) }
      guard (try? MessageWriter.check(values, limit: 1 << 20)) != nil else { continue }
      let message = BusMessage.signal(BusSignal(path: "/", interface: "a.b", member: "M"))
      MessageWriter.append(values, to: message)
      #expect(message.signatureText == values.signatureText)
      #expect(try MessageReader.arguments(of: message, limit: 1 << 20) == values, "round \(round)")
    }
  }

  @Test("mutated messages through a real bus leave the connection whole")
  func throughTheBus() async throws {
    try await onLoop { @AgentLoop in
      let stage = try await Stage()
      let everything = try await stage.server.subscribe(MatchRule()) { _ in }
      var raw = try await RawClient(stage.bus)
      var random = WireRandom(seed: 23)
      var (sent, thrownOut) = (0, 0)
      for _ in 0..<4_000 {
        guard let message = BusMessage.taken(random.mutated(random.messageBytes())) else { continue }
        dbus_message_set_destination(message.raw, stage.owner.text)
        dbus_message_set_sender(message.raw, nil)
        dbus_message_set_serial(message.raw, 0)
        raw.send(message)
        sent += 1
        guard sent % 50 == 0 else { continue }
        await raw.answer(to: raw.send(BusMessage.call(.sample(stage.owner, "Later"))))
        if !raw.isWelcome {
          thrownOut += 1
          raw = try await RawClient(stage.bus)
        }
      }
      #expect(sent > 500)
      #expect(stage.server.isOpen && stage.server.callsUnderWay == 0 && stage.server.callsInProgress == 0)
      #expect(try await stage.call("Number", [.uint32(7)]) == [.uint32(7)])
      everything.cancel()
    }
  }

  @Test("a bus that lies is a bus that is lost, and nothing worse")
  func lyingBus() async throws {
    AgentLoop.runOnOwnThread()
    let bus = try LyingBus()
    var random = WireRandom(seed: 24)
    for _ in 0..<150 {
      let address = bus.address
      let client = AgentLoop.task { await Self.live(at: address) }
      try bus.serve(Self.lies(&random))
      await client.value
    }
  }

  /// A greeting, mostly a right one, and messages of which some are wrong.
  private static func lies(_ random: inout WireRandom) -> [UInt8] {
    let hello = BusMessage.reply(to: ReplyAddress(serial: 1, caller: ":1.1", isWanted: true))
    MessageWriter.append([.string(":1.1")], to: hello)
    dbus_message_set_sender(hello.raw, BusName.bus.text)
    dbus_message_set_serial(hello.raw, 1)
    var bytes = random.below(5) == 0 ? random.mutated(hello.bytes) : hello.bytes
    for _ in 0..<random.below(60) { bytes += random.messageBytes(from: random.below(3) == 0 ? .bus : ":1.2") }
    return bytes + random.mutated(random.messageBytes(from: ":1.2"))
  }

  /// Lives on the bus until that is lost.
  @AgentLoop private static func live(at address: String) async {
    var limits = BusLimits()
    limits.messagesPerTurn = 1
    guard
      let connection = try? await BusConnection.open(
        .address(address), limits: limits, timeout: .patience)
    else { return }
    connection.export([Sample().interface()], at: Sample.path)
    guard connection.isOpen else { return }
    await withUnsafeContinuation { done in connection.onLoss = { _ in done.resume() } }
  }

  @Test("our grammars agree with libdbus's, which ends the process on a name it doesn't like")
  func grammars() {
    var random = WireRandom(seed: 25)
    for _ in 0..<20_000 {
      let text = random.text(of: "aZ_09.:/-é ", count: random.below(7))
      #expect((ObjectPath(text) != nil) == (dbus_validate_path(text, nil) != 0), "\(text)")
      // Of unique names it takes more than the specification knows.
      let isBusName = dbus_validate_bus_name(text, nil) != 0
      #expect((BusName(text) != nil) == isBusName || isBusName && text.first == ":", "\(text)")
      #expect((InterfaceName(text) != nil) == (dbus_validate_interface(text, nil) != 0), "\(text)")
      #expect((InterfaceName(text) != nil) == (dbus_validate_error_name(text, nil) != 0), "\(text)")
      #expect((MemberName(text) != nil) == (dbus_validate_member(text, nil) != 0), "\(text)")
      let signature = random.text(of: "ybixsoaav(){}s", count: random.below(9))
      #expect(
        ((try? Signature(signature)) != nil) == (dbus_signature_validate(signature, nil) != 0), "\(signature)"
      )
    }
  }
}
