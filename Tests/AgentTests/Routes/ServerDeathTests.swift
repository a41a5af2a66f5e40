// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("The agent and a sound server that dies", .serialized, .realTime, .endsAnyway)
struct ServerDeathTests {
  @Test("back with the same output, it goes on where it was", arguments: RouteServer.allCases)
  func same(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["headphones", "speakers"], start: "headphones")
    try stage.play(on: "headphones")
    try stage.ears.listen(for: .seconds(1))
    let before = try position(stage)
    stage.crashServer()
    try expectAway(stage)
    try stage.restartServer(sinks: ["headphones", "speakers"])
    try expectGoesOn(stage)
    let after = try position(stage)
    #expect(after > before - 1 && after < before + 10, "it went on at \(after) s after \(before) s")
    try stage.stop()
  }

  @Test(
    "back with the output that somebody chose, it goes on there and not at the default one",
    arguments: RouteServer.allCases, [true, false])
  func chosen(kind: RouteServer, byUs: Bool) throws {
    let stage = try RouteStage(kind, sinks: ["speakers", "headphones"], start: "speakers")
    try stage.play(on: "speakers")
    if byUs {
      #expect(try stage.stage.fermata("output", "headphones").status == .exited(0))
    } else {
      try stage.moveStream(to: "headphones")
    }
    try stage.ears.waitForSound(on: "headphones")
    stage.events.wait(forChanges: 1)
    stage.count()
    stage.crashServer()
    try expectAway(stage)
    try stage.restartServer(sinks: ["speakers", "headphones"])
    try expectGoesOn(stage)
    try stage.stop()
  }

  @Test("back without the output, it is paused, and stays so", arguments: RouteServer.allCases)
  func other(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["headphones", "speakers"], start: "headphones")
    try stage.play(on: "headphones")
    stage.crashServer()
    try expectAway(stage)
    try stage.restartServer(sinks: ["speakers"])
    stage.events.wait(forChanges: 3)
    try stage.expectSilence()
    stage.expectReasons(["mediaServicesWereLost", "mediaServicesWereReset", "oldDeviceUnavailable"])
    #expect(stage.events.pausingReasons == ["oldDeviceUnavailable"])
    #expect(try stage.status("state") == "paused")
    #expect(try stage.status("why") == "route")
    stage.stage.playerctl("play")
    try stage.ears.waitForSound(on: "speakers")
    try stage.stop()
  }

  @Test("paused before, it is paused afterwards", arguments: RouteServer.allCases)
  func paused(kind: RouteServer) throws {
    let stage = try RouteStage(kind, sinks: ["headphones"], start: "headphones")
    try stage.play(on: "headphones")
    stage.stage.playerctl("pause")
    try stage.stage.waitForStatus("Paused")
    stage.count()
    stage.crashServer()
    stage.events.wait(forChanges: 1)
    try stage.restartServer(sinks: ["headphones"])
    stage.events.wait(forChanges: 2)
    try stage.expectSilence()
    stage.expectReasons(["mediaServicesWereLost", "mediaServicesWereReset"])
    #expect(try stage.status("why") == "user")
    try stage.stop()
  }

  private func expectAway(_ stage: RouteStage) throws {
    stage.events.wait(forState: "interrupted")
    #expect(stage.stage.playerctl("status") == "Paused")
    #expect(try stage.status("state") == "interrupted")
    #expect(try stage.status("why") == "server")
  }

  /// The music goes on at the headphones, and no device was called gone.
  private func expectGoesOn(_ stage: RouteStage) throws {
    stage.events.wait(forChanges: 2)
    try stage.stage.waitForStatus("Playing")
    try stage.expectSound(on: "headphones")
    stage.expectReasons(["mediaServicesWereLost", "mediaServicesWereReset"])
    #expect(stage.events.pausingReasons == [])
  }

  private func position(_ stage: RouteStage) throws -> Double {
    let text = try #require(stage.stage.playerctl("position"))
    return try #require(Double(text))
  }
}
