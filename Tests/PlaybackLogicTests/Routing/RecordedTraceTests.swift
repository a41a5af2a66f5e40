// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

@Suite("Route classifier on recorded traces")
struct RecordedTraceTests {
  @Test("what a real server told means what it did", arguments: RecordedTrace.all)
  func trace(_ trace: RecordedTrace) {
    var replay = Replay()
    let end = trace.moments.last?.time ?? 0
    replay.play(trace.moments, until: end + 5_000)
    #expect(replay.reasons == [.unknown] + trace.reasons)
    #expect(replay.pauses == trace.reasons.contains(.oldDeviceUnavailable))
  }
}
