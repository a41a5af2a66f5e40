// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

@Suite("Route classifier on recorded traces")
struct RecordedTraceTests {
  @Test("what a real server told means what it did", arguments: RecordedTrace.all)
  func trace(_ trace: RecordedTrace) {
    var replay = Replay()
    let end = trace.moments.last?.time ?? 0
    replay.play(trace.moments, until: end + 200)
    // Asked for once more, which the recording does not have: nothing had changed since.
    let worlds = trace.moments.filter { if case .world = $0.event { true } else { false } }
    if replay.said.last?.output == .readWorld, let last = worlds.last {
      replay.play([Moment(end + 201, last.event)])
    }
    replay.play([], until: end + 5_000)
    #expect(replay.reasons == [.unknown] + trace.reasons)
    #expect(replay.pauses == trace.reasons.contains(.oldDeviceUnavailable))
  }
}
