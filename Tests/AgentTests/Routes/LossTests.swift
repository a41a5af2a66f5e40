// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("The agent and losses in a row", .serialized, .longRealTime, .endsAnyway)
struct LossTests {
  @Test("two headphones go one after the other, with a Play in between", arguments: RouteServer.allCases)
  func twice(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: [], cards: [.laptop(), .usbHeadset], start: "headset")
    try stage.play(on: "headset")
    try stage.card(.usbHeadset).remove()
    stage.events.wait(forChanges: 1)
    try stage.expectSilence()
    stage.expectReasons(["oldDeviceUnavailable"])
    stage.stage.playerctl("play")
    try stage.ears.waitForSound(on: "laptop")
    try stage.stage.waitForStatus("Playing")
    stage.count()
    try stage.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    stage.events.wait(forChanges: 1)
    try stage.expectSilence()
    stage.expectReasons(["oldDeviceUnavailable"])
    try stage.stop()
  }

  /// Whether the second is a loss of its own depends on whether the first had been told.
  @Test("two headphones go at once", arguments: RouteServer.allCases)
  func atOnce(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: [], cards: [.laptop(), .usbHeadset], start: "headset")
    try stage.play(on: "headset")
    try stage.card(.usbHeadset).remove()
    try stage.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    stage.events.wait(forChanges: 1)
    try stage.expectSilence()
    #expect(Set(stage.events.reasons) == ["oldDeviceUnavailable"])
    try stage.stop()
  }

  @Test("what was lost returns: that is told, and starts nothing", arguments: RouteServer.allCases)
  func back(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["speakers"], cards: [.usbHeadset], start: "headset")
    try stage.play(on: "headset")
    try stage.card(.usbHeadset).remove()
    stage.events.wait(forChanges: 1)
    try stage.expectSilence()
    #expect(try stage.status("why") == "route")
    try stage.insert(.usbHeadset, turningTo: "headset")
    stage.events.wait(forChanges: 2)
    try stage.expectSilence()
    stage.expectReasons(["oldDeviceUnavailable", "newDeviceAvailable"])
    stage.stage.playerctl("play")
    try stage.ears.waitForSound(on: "headset")
    try stage.stop()
  }

  @Test("a jack that goes out and in again, and nothing starts", arguments: RouteServer.allCases)
  func jack(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: [], cards: [.laptop()], start: "laptop")
    try stage.play(on: "laptop")
    try stage.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    stage.events.wait(forChanges: 1)
    try stage.card(.laptop()).setAvailable(["headphones": .yes, "speaker": .no])
    stage.events.wait(forChanges: 2)
    try stage.expectSilence()
    stage.expectReasons(["oldDeviceUnavailable", "newDeviceAvailable"])
    try stage.stop()
  }

  @Test("headphones that go and come while the user has it paused", arguments: RouteServer.allCases)
  func whilePaused(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["speakers"], cards: [.usbHeadset], start: "headset")
    try stage.play(on: "headset")
    stage.stage.playerctl("pause")
    try stage.stage.waitForStatus("Paused")
    try stage.ears.listen(for: .milliseconds(300))
    stage.count()
    try stage.card(.usbHeadset).remove()
    stage.events.wait(forChanges: 1)
    try stage.insert(.usbHeadset, turningTo: "headset")
    stage.events.wait(forChanges: 2)
    try stage.expectSilence()
    stage.expectReasons(["oldDeviceUnavailable", "newDeviceAvailable"])
    #expect(try stage.status("why") == "user")
    try stage.stop()
  }

  @Test("terminated by the user: paused, and no change of the route", arguments: RouteServer.allCases)
  func terminated(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["speakers"], start: "speakers")
    try stage.play(on: "speakers")
    let world = try stage.server.control.world()
    let stream = try #require(world.sinkInputs.first { !$0.isCorked })
    try stage.server.control.kill(stream.index)
    stage.events.wait(forState: "paused")
    try stage.expectSilence()
    stage.expectReasons([])
    #expect(try stage.status("why") == "terminated")
    stage.stage.playerctl("play")
    try stage.expectSound(on: "speakers")
    try stage.stop()
  }

  // PipeWire 0.3.65 tells clients nothing of it.
  @Test("an output that the session suspends interrupts, and lets go on")
  func suspended() throws {
    let stage = try RouteStage(.pulseAudio, sinks: ["speakers"], start: "speakers")
    try stage.play(on: "speakers")
    try stage.server.control.suspend(sink: "speakers", true)
    stage.events.wait(forState: "interrupted")
    try stage.stage.waitForStatus("Paused")
    #expect(try stage.status("why") == "suspend")
    try stage.server.control.suspend(sink: "speakers", false)
    try stage.stage.waitForStatus("Playing")
    try stage.expectSound(on: "speakers")
    stage.expectReasons([])
    try stage.stop()
  }
}
