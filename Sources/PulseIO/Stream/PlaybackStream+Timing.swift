// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

extension PlaybackStream {
  /// Asks the server how far the stream has been heard.
  package func timing() async throws(PulseError) -> StreamTiming {
    _ = try await unsafe order("ask how far the sound is") { unsafe pa_stream_update_timing_info($0, $1, $2) }
      .get()
    guard let info = unsafe pa_stream_get_timing_info(raw)?.pointee else {
      throw PulseError(.badState, in: "ask how far the sound is")
    }
    return timing(info)
  }

  private func timing(_ info: pa_timing_info) -> StreamTiming {
    // Both indices describe the same moment at the server, and libpulse has added what was written since. What lies
    // between them waits in the server's buffer.
    let waiting = max(0, Int(info.write_index - info.read_index)) / format.bytesPerFrame
    let ahead = min(written, waiting + framesInDevice(info, isDry: waiting == 0))
    // A stream that ran dry does not play, but what the device already has is still heard.
    let isMoving = !isCorked && (info.playing != 0 || waiting == 0)
    return StreamTiming(taken: AgentLoop.now, heard: written - ahead, isMoving: isMoving, rate: format.rate)
  }

  /// The stream's frames that the device was given and has not made audible. Since the stream ran dry the device has
  /// been given silence, which is taken off.
  private func framesInDevice(_ info: pa_timing_info, isDry: Bool) -> Int {
    if isCorked { return 0 }
    let silence = isDry && info.playing == 0 ? Int(info.since_underrun) / format.bytesPerFrame : 0
    return max(0, format.frames(in: .microseconds(info.sink_usec)) - silence)
  }
}
