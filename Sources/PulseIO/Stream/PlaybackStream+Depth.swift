// SPDX-License-Identifier: MIT
import AgentLoop
import CPulse

// A shallow stream starts soon. A deep one asks for sound only every few seconds, so that the program can sleep.
extension PlaybackStream {
  /// Gives the stream its full buffer; called when it plays.
  func deepen() {
    guard !isDeep else { return }
    isDeep = true
    set(depth.deep)
  }

  /// Gives the stream a short buffer again, so that what is written next is heard soon.
  func makeShallow() {
    guard isDeep, depth.hasShallow, isReady else { return }
    isDeep = false
    set(depth.shallow)
  }

  private func set(_ attributes: pa_buffer_attr) {
    unsafe withUnsafePointer(to: attributes) { attributes in
      unsafe forget(pa_stream_set_buffer_attr(raw, attributes, nil, nil))
    }
  }
}
