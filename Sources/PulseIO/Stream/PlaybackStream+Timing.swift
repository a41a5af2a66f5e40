// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

extension PlaybackStream {
  /// Asks how far the stream is.
  package func timing() async throws(PulseError) -> StreamTiming {
    _ = try await unsafe order("ask how far the sound is") { unsafe pa_stream_update_timing_info($0, $1, $2) }
      .get()
    guard let info = unsafe pa_stream_get_timing_info(raw)?.pointee else {
      throw PulseError(.badState, in: "ask how far the sound is")
    }
    return timing(info)
  }

  private func timing(_ info: pa_timing_info) -> StreamTiming {
    // Both indices are the server's at one moment, moved on by what was written since: what lies between them waits there.
    let waiting = max(0, Int(info.write_index - info.read_index)) / format.bytesPerFrame
    let ahead = min(written, waiting + framesInDevice(info, isDry: waiting == 0))
    // A dry stream does not play, but what is in the device is heard on.
    let isMoving = !isCorked && (info.playing != 0 || waiting == 0)
    return StreamTiming(taken: AgentLoop.now, heard: written - ahead, isMoving: isMoving, rate: format.rate)
  }

  /// What the device was given and has not made audible. Since the stream ran dry it was given silence.
  private func framesInDevice(_ info: pa_timing_info, isDry: Bool) -> Int {
    if isCorked { return 0 }
    let silence = isDry && info.playing == 0 ? Int(info.since_underrun) / format.bytesPerFrame : 0
    return max(0, format.frames(in: .microseconds(info.sink_usec)) - silence)
  }
}
