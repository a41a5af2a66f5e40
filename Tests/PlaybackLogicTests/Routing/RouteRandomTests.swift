// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PlaybackLogic

@Suite("Route classifier at random")
struct RouteRandomTests {
  /// Plays the steps of one deed; a reading answers a millisecond after each.
  private func perform(
    _ deed: ModelServer.Deed, on server: inout ModelServer, at start: Int, _ replay: inout Replay
  ) {
    var time = start
    for step in server.steps(of: deed) {
      time += step.wait
      let events = step.act(&server)
      replay.play(events.map { Moment(time, $0) })
      if !events.isEmpty {
        replay.play([Moment(time + 1, server.desk.read), Moment(time + 2, server.desk.read)])
      }
    }
  }

  @Test("each deed by itself has its one meaning", arguments: [false, true])
  func separate(isPipeWire: Bool) {
    let seed: UInt64 = isPipeWire ? 11 : 12
    var random = SeededGenerator(seed: seed)
    var server = ModelServer(isPipeWire: isPipeWire)
    var replay = Replay(settledOn: server.desk)
    for step in 0..<10_000 {
      let deed = ModelServer.Deed.allCases.randomElement(using: &random) ?? .volume
      let meaning = server.meaning(of: deed)
      perform(deed, on: &server, at: step * 10_000, &replay)
      replay.play([], until: step * 10_000 + 9_000)
      let isRight = replay.reasons == meaning && replay.pauses == meaning.contains(.oldDeviceUnavailable)
      let isSettled =
        !replay.classifier.isHolding && replay.classifier.route == Destination(server.reading).route
      guard isRight, isSettled else {
        Issue.record(
          "seed \(seed), step \(step): \(deed) on \(server.desk) was \(replay.reasons), not \(meaning)")
        return
      }
      replay.forget()
    }
  }
}

extension ModelServer {
  var reading: Reading { Reading(world: desk.world, ownInput: Desk.own) }
}
