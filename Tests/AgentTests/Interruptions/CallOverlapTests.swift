// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("Calls and what else happens", .serialized, .realTime, .endsAnyway)
struct CallOverlapTests {
  typealias Kind = CallStage.Kind

  @Test("I9: of two calls the last one's end brings the music back", arguments: Kind.desktops)
  func twoCalls(kind: Kind) throws {
    let stage = try CallStage.playing(kind)
    do {
      let second: OtherStream
      do {
        let first = try stage.ring()
        try stage.ear.wait(forBeginningOf: "call")
        second = try stage.ring()
        withExtendedLifetime(first) {}
      }
      try stage.server.control.wait(for: "the end of the first call") { $0.sinkInputs.count == 2 }
      try stage.hearsNothing()
      try stage.expect("interrupted", why: "call")
      withExtendedLifetime(second) {}
    }
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    #expect(stage.ear.interruptions.filter { $0.hasSuffix("resumes") }.count == 1)
    try stage.stop()
  }

  @Test("I3: our stream is moved in the call, and its end is not missed", arguments: Kind.desktops)
  func movedInCall(kind: Kind) throws {
    let stage = try CallStage.playing(kind, sinks: ["speakers", "other"])
    let other = try stage.server.record("other")
    do {
      let phone = try stage.ring(on: "speakers")
      try stage.ear.wait(forBeginningOf: "call")
      try stage.move(to: "other")
      try stage.ear.wait(for: "\"event\":\"routeChange\"")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forState: "playing")
    try other.waitForSound(from: other.frames, floor: CallStage.floor)
    try stage.stop()
  }

  @Test("I12: headphones lost in a call: its end resumes nothing", arguments: Kind.desktops)
  func lossInCall(kind: Kind) throws {
    let stage = try CallStage.playing(kind, sinks: ["headphones", "speakers"])
    let speakers = try stage.server.record("speakers")
    do {
      let phone = try stage.ring(on: "speakers")
      try stage.ear.wait(forBeginningOf: "call")
      try stage.server.unload(sink: "headphones")
      try stage.ear.wait(forState: "paused", why: "route")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.expect("paused", why: "route", interruptions: [])
    #expect(!stage.ear.interruptions.contains { $0.hasSuffix("resumes") })
    #expect(stage.ear.reasons == ["oldDeviceUnavailable"])
    try speakers.waitForSilence(lasting: .milliseconds(300), floor: CallStage.floor)
    try stage.stop()
  }

  @Test(
    "I11, I12: headphones lost in a call in which somebody pressed Next: its end resumes nothing",
    arguments: Kind.desktops)
  func lossAfterNextInCall(kind: Kind) throws {
    let stage = try CallStage(kind, sinks: ["speakers", "headphones"])
    // Both are there, and the loudspeakers are the default.
    let one = try stage.makeTone("one.wav")
    let two = try stage.makeTone("two.wav")
    let headphones = try stage.server.record("headphones")
    try stage.fermata("play", one, two)
    try stage.fermata("output", "headphones")
    try headphones.waitForSound(from: headphones.frames, floor: CallStage.floor)
    stage.ear.forget()
    do {
      let phone = try stage.ring(on: "speakers")
      try stage.ear.wait(forBeginningOf: "call")
      try stage.fermata("next")
      try stage.server.control.wait(for: "the end of our stream") { stage.ownStream(in: $0) == nil }
      // The server tells something, and it is seen that there is no stream.
      try stage.server.load(sink: "other")
      try stage.server.control.wait(for: "another output") { $0.sink(named: "other") != nil }
      try stage.server.unload(sink: "headphones")
      try stage.ear.wait(forState: "paused", why: "route")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.expect("paused", why: "route", interruptions: [])
    try stage.hearsNothing()
    try stage.stop()
  }

  @Test(
    "a call after headphones were lost: its end resumes nothing, the user's Play does",
    arguments: Kind.desktops)
  func callInLoss(kind: Kind) throws {
    let stage = try CallStage.playing(kind, sinks: ["headphones", "speakers"])
    let speakers = try stage.server.record("speakers")
    do {
      try stage.server.unload(sink: "headphones")
      let phone = try stage.ring()
      try stage.ear.wait(forState: "paused", why: "route")
      if !stage.ear.interruptions.contains(where: { $0.hasPrefix("began call") }) {
        try stage.ear.wait(forBeginningOf: "call")
      }
      try stage.expect("paused", why: "route")
      withExtendedLifetime(phone) {}
    }
    try stage.ear.wait(forEndOf: "call")
    try stage.expect("paused", why: "route", interruptions: [])
    stage.agent.playerctl("play")
    try speakers.waitForSound(from: speakers.frames, floor: CallStage.floor)
    try stage.stop()
  }
}

extension CallStage {
  /// Moves our stream as the user would. The server sometimes answers yes and does nothing: then it is asked again.
  func move(to sink: String) throws {
    let deadline = Deadline.patient
    while !deadline.hasPassed {
      guard let own = ownStream(in: try server.control.world()) else { throw KitError("no stream to move") }
      try server.control.move(own.index, toSink: sink)
      let moved = try? server.control.wait(for: "the move to \(sink)", within: .seconds(1)) { world in
        ownStream(in: world)?.sink == world.sink(named: sink)?.index
      }
      if moved != nil { return }
    }
    throw KitError("the stream does not move to \(sink)")
  }
}
