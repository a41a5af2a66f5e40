// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// A device that goes while another player plays on it.
struct GuardLoss: Sendable, CustomTestStringConvertible {
  let name: String
  var cards: [CardLayout]
  let start: String
  let act: @Sendable (RouteStage) throws -> Void

  var testDescription: String { name }

  static let all = [
    GuardLoss(name: "jack out", cards: [.laptop()], start: "laptop") {
      try $0.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    },
    GuardLoss(name: "USB gone", cards: [.usbHeadset], start: "headset") { try $0.card(.usbHeadset).remove() },
    GuardLoss(name: "Bluetooth gone", cards: [.bluetoothHeadset], start: "bluetooth.a2dp") {
      try $0.card(.bluetoothHeadset).remove()
    },
    GuardLoss(name: "HDMI gone", cards: [.socketByProfile(.hdmi, isIn: true)], start: "socket") {
      try $0.card(.socketByProfile(.hdmi, isIn: true)).setAvailable(["socket": .no])
    },
  ]
}

@Suite("The guard and losses", .serialized, .longRealTime, .endsAnyway)
struct GuardLossTests {
  @Test("a player is paused when its device goes", arguments: RouteServer.allCases, GuardLoss.all)
  func paused(kind: RouteServer, loss: GuardLoss) throws {
    let stage = try GuardStage(kind, cards: loss.cards, start: loss.start)
    try stage.play("standin", on: loss.start)
    try loss.act(stage.routes)
    stage.expect(["standin paused"])
    try stage.expectSilence()
    #expect(stage.pauses(of: "standin") == 1)
    stage.expect(["standin paused"])
    try stage.stop()
  }

  @Test("two players on two devices: only the one whose device goes", arguments: RouteServer.allCases)
  func two(kind: RouteServer) throws {
    let stage = try GuardStage(kind, cards: [.laptop(), .usbHeadset], start: "headset")
    try stage.play("one", on: "headset")
    try stage.routes.server.control.setDefaultSink("laptop")
    // A stream that follows the default does so within this time.
    try stage.ears.listen(for: .milliseconds(300))
    let one = try stage.stream(of: "one")
    try stage.routes.server.control.move(one, toSink: "headset")
    stage.routes.count()
    try stage.ears.waitForSound(on: "headset")
    // PipeWire 1.6 tells nobody of that move, because both outputs are recorded here and so run anyway. The next player's stream is told.
    try stage.play("two", on: "laptop")
    try stage.routes.card(.usbHeadset).remove()
    stage.expect(["one paused"])
    #expect(stage.pauses(of: "two") == 0)
    try stage.ears.waitForSound(on: "laptop")
    try stage.stop()
  }

  @Test("a call and a player on the same headset: only the player", arguments: RouteServer.allCases)
  func call(kind: RouteServer) throws {
    let stage = try GuardStage(kind, cards: [.usbHeadset], start: "headset")
    try stage.routes.server.load(microphone: "microphone")
    try stage.play("phone", on: "headset", properties: ["media.role=phone"])
    try stage.play("talk", "records", on: "headset")
    try stage.play("music", on: "headset")
    try stage.routes.card(.usbHeadset).remove()
    stage.expect(["music paused"])
    try stage.ears.listen(for: .milliseconds(1_200))
    #expect(stage.pauses(of: "phone") + stage.pauses(of: "talk") == 0)
    stage.expect(["music paused"])
    try stage.stop()
  }

  @Test(
    "players that answer late, never, with an error, or leave; each is told of once",
    arguments: [
      ("late", "paused"), ("never", "silent"), ("deaf", "silent"), ("error", "refused"),
      ("cannot", "refused"),
      ("ignores", "refused"), ("leaves", "silent"),
    ])
  func odd(behaviour: String, outcome: String) throws {
    let stage = try GuardStage(.pulseAudio, cards: [.usbHeadset], start: "headset")
    try stage.play("odd", behaviour, on: "headset")
    try stage.routes.card(.usbHeadset).remove()
    stage.expect(["odd \(outcome)"])
    #expect(stage.pauses(of: "odd") == (["deaf", "cannot"].contains(behaviour) ? 0 : 1))
    try stage.ears.listen(for: .milliseconds(1_500))
    stage.expect(["odd \(outcome)"])
    try stage.stop()
  }

  @Test(
    "a name on the bus that changes hands meanwhile: who lost its device is told to pause, the name's new owner never"
  )
  func changedHands() throws {
    let stage = try GuardStage(.pulseAudio, cards: [.laptop(), .usbHeadset], start: "headset")
    try stage.play("odd", "hands", on: "headset", as: "first")
    try stage.routes.server.control.setDefaultSink("laptop")
    try stage.play("odd", "waits", on: "laptop", as: "second")
    let first = try stage.stream(of: "first")
    try stage.routes.server.control.move(first, toSink: "headset")
    try stage.ears.waitForSound(on: "headset")
    try stage.ears.listen(for: .milliseconds(300))
    stage.routes.count()
    try stage.routes.card(.usbHeadset).remove()
    stage.expect(["odd paused"])
    #expect(stage.pauses(of: "first") == 1 && stage.pauses(of: "second") == 0)
    try stage.ears.waitForSound(on: "laptop")
    try stage.stop()
  }

  @Test("a program without a name on the bus is told of, and nothing is muted")
  func nameless() throws {
    let stage = try GuardStage(.pulseAudio, cards: [.usbHeadset], start: "headset")
    try stage.play("-a game", on: "headset")
    try stage.routes.card(.usbHeadset).remove()
    stage.expect(["a game silent"])
    try stage.ears.waitForSound(on: "speakers")
    try stage.stop()
  }

  @Test("the settings: off for all, and off for some")
  func settings() throws {
    let stage = try GuardStage(.pulseAudio, cards: [.usbHeadset, .laptop()], start: "headset")
    try stage.play("spared", on: "headset")
    try stage.play("named", on: "headset")
    try Child.run(
      .beside("fermata"), ["settings", "set", "guard-except", "Spared, other"],
      environment: stage.routes.stage.environment)
    try stage.routes.card(.usbHeadset).remove()
    stage.expect(["named paused"])
    #expect(stage.pauses(of: "spared") == 0)
    try Child.run(
      .beside("fermata"), ["settings", "set", "guard", "off"], environment: stage.routes.stage.environment)
    try stage.routes.server.control.setDefaultSink("laptop")
    try stage.play("third", on: "laptop")
    try stage.routes.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    stage.routes.events.wait(forChanges: 1)
    try stage.ears.listen(for: .milliseconds(1_200))
    #expect(stage.routes.events.guards.isEmpty)
    #expect(stage.pauses(of: "third") == 0)
    try stage.stop()
  }

  @Test("nothing wakes the agent in ten seconds while others play", arguments: RouteServer.allCases)
  func idle(kind: RouteServer) throws {
    let stage = try GuardStage(kind, cards: [.usbHeadset], start: "headset")
    try stage.play("one", on: "headset")
    try stage.play("two", on: "headset")
    try stage.ears.listen(for: .seconds(2))
    let before = try stage.routes.stage.contextSwitches()
    try stage.ears.listen(for: .seconds(10))
    #expect(try stage.routes.stage.contextSwitches() - before == 0)
    try stage.stop()
  }
}
