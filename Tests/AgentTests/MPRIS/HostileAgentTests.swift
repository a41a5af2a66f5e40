// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import PlaybackLogic
import Testing

@Suite("Hostile clients", .serialized, .realTime, .endsAnyway, .sharedStage)
struct HostileAgentTests {
  private static let known: Set<BusError.Name> = [
    .invalidArgs, .unknownMethod, .unknownInterface, .unknownProperty, .propertyReadOnly, .limitsExceeded,
    .failed,
    AgentError.refused.name, AgentError.noSuchItem.name, AgentError.nothingPlayable.name,
    AgentError.noSuchFile.name,
    AgentError.cannotWrite.name,
  ]

  @Test(
    "10,000 calls that nobody should make: an answer to each, others served, nothing lost",
    arguments: [1, 2] as [UInt64])
  func calls(seed: UInt64) throws {
    let (stage, client, entries) = try mprisStage(.paused)
    let other = try MPRISClient(stage.stage.bus)
    let before = Memory.resident(of: stage.stage.agent.processID)
    let calls = {
      var hostility = Hostility(seed: seed)
      return (0..<5_000).map { _ in hostility.call() }
    }()
    let promise = Promise<[BusError.Name?]>()
    let attack = Worker {
      promise.keep(
        Result {
          try stride(from: 0, to: calls.count, by: 200).flatMap { start in
            try client.burst(Array(calls[start..<min(start + 200, calls.count)])).results.map { result in
              if case .failure(let error) = result { error.name } else { nil }
            }
          }
        })
    }
    var served = 0
    let deadline = Deadline.patient
    while !attack.isDone, !deadline.hasPassed {
      #expect(try other.all().count == 15)
      served += 1
    }
    let answers = try promise.value(of: "end of the attack", within: .patience)
    #expect(answers.count == calls.count && served > 20)
    #expect(Set(answers.compactMap { $0 }).subtracting(Self.known).isEmpty)
    #expect(answers.count { $0 != nil } > calls.count / 3)
    let tracks = try other.get("Tracks", of: MPRISDescriptions.trackList.name)
    #expect(tracks == .array(.objectPath, entries.map { MPRISStage.path($0) }))
    #expect(Memory.resident(of: stage.stage.agent.processID) < before + 48 << 20)
    other.close()
  }

  @Test("bytes that are no messages are the bus's to refuse, and never reach it")
  func bytes() throws {
    let (stage, client, entries) = try mprisStage(.paused)
    var random = WireRandom(seed: 5)
    let name = MPRISClient.playerName.text
    var connections = 0
    for round in 0..<400 {
      guard let socket = try? RawSocket(stage.stage.bus) else { continue }
      connections += 1
      for serial in 2..<12 as Range<UInt32> {
        let member = ["OpenUri", "Pause", "Fly", "Seek"][random.below(4)]
        let call = RawMessage.call(
          name, MPRISDescriptions.path.text, MPRISDescriptions.player.name.text, member,
          text: random.below(2) == 0 ? nil : "file:///nowhere", serial: serial)
        if !socket.write(random.mutated(call)) { break }
      }
      if round % 50 == 0 { #expect(try client.all().count == 15) }
    }
    #expect(connections > 300)
    #expect(
      try client.get("Tracks", of: MPRISDescriptions.trackList.name)
        == .array(.objectPath, entries.map { MPRISStage.path($0) }))
    try stage.stage.bus.check()
  }

  @Test("a client that asks for everything and never reads costs the agent nothing")
  func neverReads() throws {
    let (stage, client, _) = try mprisStage(.playing)
    let deaf = try RawSocket(stage.stage.bus)
    deaf.write(
      RawMessage.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
        text: "type='signal'",
        serial: 2))
    let ask = (3..<2_003 as Range<UInt32>).map {
      RawMessage.call(
        MPRISClient.playerName.text, MPRISDescriptions.path.text, StandardInterfaces.properties.name.text,
        "GetAll",
        text: MPRISDescriptions.player.name.text, serial: $0)
    }
    let before = Memory.resident(of: stage.stage.agent.processID)
    for call in ask { deaf.write(call) }
    for round in 0..<10 {
      let sets = (0..<1_000).map { index in
        BurstCall(
          interface: StandardInterfaces.properties.name, member: "Set",
          arguments: [
            .string(MPRISDescriptions.player.name.text), .string("Volume"),
            .variant(.double(Double((index * 7 + round) % 1_000) / 1_000)),
          ])
      }
      client.forgetSignals()
      #expect(try client.burst(sets).order.count == 1_000)
    }
    #expect(client.signals.count >= 1_000, "each change was told to those who listen")
    #expect(Memory.resident(of: stage.stage.agent.processID) < before + 8 << 20)
    #expect(try stage.status() == "Playing")
    withExtendedLifetime(deaf) {}
  }

  @Test("a client that vanishes in the middle of its calls leaves nothing behind")
  func vanishing() throws {
    let (stage, client, entries) = try mprisStage(.paused)
    for _ in 0..<50 {
      let socket = try RawSocket(stage.stage.bus)
      for serial in 2..<22 as Range<UInt32> {
        socket.write(
          RawMessage.call(
            MPRISClient.playerName.text, MPRISDescriptions.path.text, MPRISDescriptions.player.name.text,
            "OpenUri",
            text: "file:///nowhere/\(serial).flac", serial: serial))
      }
    }
    #expect(try client.all().count == 15)
    #expect(try stage.currentPath() == MPRISStage.path(entries[1]))
  }
}

/// What a process holds.
enum Memory {
  /// Its resident memory in bytes; 0 where it is gone.
  static func resident(of process: Int32) -> Int {
    guard let file = fopen("/proc/\(process)/statm", "r") else { return 0 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(getpagesize())
  }
}
