// SPDX-License-Identifier: MIT
import AgentLoop
import CPulse

// A shallow stream begins soon, a deep one wakes nobody for seconds.
extension PlaybackStream {
  /// It plays: as much as can be shall lie ready.
  func deepen() {
    guard !isDeep else { return }
    isDeep = true
    set(depth.deep)
  }

  /// What is written next is to be heard soon.
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
