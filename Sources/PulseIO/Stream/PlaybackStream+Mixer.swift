// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel
import CPulse

// The stream as the server lists it and mixers see it: its number, output, volume and mute.
extension PlaybackStream {
  /// The stream's number at the server; nil until the stream is ready.
  package var index: SinkInput.Index? {
    guard isReady else { return nil }
    return SinkInput.Index(rawValue: unsafe pa_stream_get_index(raw))
  }

  /// The output that the stream goes to; nil until the stream is ready.
  package var sink: Sink.Index? {
    guard isReady else { return nil }
    return Sink.Index(rawValue: unsafe pa_stream_get_device_index(raw))
  }

  /// Whether its output is suspended.
  package var isSuspended: Bool { unsafe isReady && pa_stream_is_suspended(raw) == 1 }

  var isReady: Bool { unsafe pa_stream_get_state(raw) == .PA_STREAM_READY }

  /// The stream as the server lists it: its volume and mute, which others may have changed.
  package func readSinkInput() async throws(PulseError) -> SinkInput {
    guard let index, let found = try await context.readSinkInput(index.rawValue).get().first else {
      throw PulseError(.noSuchEntity, in: "ask for the stream")
    }
    return found
  }

  /// pipewire-pulse ignores the volume that a stream is made with. Set here, it takes effect before the first sound.
  func setStartVolume() {
    guard let fraction = startVolume, let index else { return }
    var volume = Volume.record(fraction, channels: format.channels)
    unsafe withUnsafePointer(to: &volume) { volume in
      unsafe forget(pa_context_set_sink_input_volume(context.raw, index.rawValue, volume, nil, nil))
    }
  }

  /// Sets the stream's own volume, a fraction of the full one, at most 1.5.
  package func setVolume(_ fraction: Double) async throws(PulseError) {
    let index = try readyIndex("set the volume")
    var volume = Volume.record(fraction, channels: format.channels)
    let reply = unsafe withUnsafePointer(to: &volume) { volume in
      unsafe context.order("set the volume") {
        unsafe pa_context_set_sink_input_volume($0, index, volume, $1, $2)
      }
    }
    _ = try await reply.get()
  }

  /// Mutes or unmutes the stream at the server. Throws if the stream is not ready or the server refuses.
  package func setMuted(_ isMuted: Bool) async throws(PulseError) {
    let index = try readyIndex("mute the stream")
    _ = try await unsafe context.order("mute the stream") {
      unsafe pa_context_set_sink_input_mute($0, index, isMuted ? 1 : 0, $1, $2)
    }.get()
  }

  private func readyIndex(_ operation: String) throws(PulseError) -> UInt32 {
    guard let index else { throw PulseError(.badState, in: operation) }
    return index.rawValue
  }
}
