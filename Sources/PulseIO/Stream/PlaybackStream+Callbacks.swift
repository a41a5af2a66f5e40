// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

// The callbacks that libpulse calls.
extension PlaybackStream {
  func listen() {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe pa_stream_set_state_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).stateChanged() } },
      this)
    unsafe pa_stream_set_write_callback(
      raw,
      { _, room, this in
        unsafe AgentLoop.assume((room, this)) { unsafe PlaybackStream.from($0.1).asked(for: $0.0) }
      }, this)
    unsafe pa_stream_set_started_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).started() } },
      this)
    unsafe pa_stream_set_underflow_callback(
      raw,
      { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).tell(.underflow) } },
      this)
    unsafe pa_stream_set_moved_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).moved() } }, this)
    unsafe pa_stream_set_suspended_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).suspended() } }, this)
    unsafe pa_stream_set_event_callback(
      raw,
      { _, name, _, this in
        unsafe AgentLoop.assume((name, this)) { unsafe PlaybackStream.from($0.1).requested($0.0) }
      }, this)
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> PlaybackStream {
    guard let pointer = unsafe pointer else { preconditionFailure("a callback without its stream") }
    return unsafe Unmanaged<PlaybackStream>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func stateChanged() {
    switch unsafe pa_stream_get_state(raw) {
    case .PA_STREAM_READY: becomeReady()
    case .PA_STREAM_FAILED: tell(.ended(context.lastError("play")))
    case .PA_STREAM_UNCONNECTED, .PA_STREAM_CREATING, .PA_STREAM_TERMINATED: break
    }
  }

  // libpulse ignores a cork that is ordered while the stream is being made. So the last order was only noted in
  // `isCorked`, and is sent now.
  private func becomeReady() {
    if isCorked != wasMadeCorked { tellCorked() }
    setStartVolume()
    tell(.ready)
  }

  /// Answers the server's request for sound. It takes half of a deep buffer at once, in pieces of 64 KiB, and announces
  /// each piece that has become free. The first announcement is answered as it comes. Those that follow are gathered
  /// and answered together, because each alone would wake the processor.
  private func asked(for room: Int) {
    unasked = 0
    write(upTo: room)
    let now = AgentLoop.now
    if isDeep, depth.hasShallow, now - lastAsked > Self.burst * 10 { AgentLoop.gather(for: Self.burst) }
    lastAsked = now
  }

  /// Longer than the server takes to ask for all its pieces, and shorter than anybody notices.
  private static let burst = Duration.milliseconds(5)

  private func started() {
    deepen()
    tell(.started)
  }

  /// The new output may be the wrong one, such as a speaker in place of headphones. Finding that out takes longer than
  /// becoming silent, so the stream is corked first.
  private func moved() {
    corkFirst()
    if let sink { tell(.moved(to: sink)) }
  }

  private func suspended() { tell(.suspended(isSuspended)) }

  private func requested(_ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name else { return }
    switch unsafe String(cString: name) {
    case PA_STREAM_EVENT_REQUEST_CORK: tell(.corkRequested)
    case PA_STREAM_EVENT_REQUEST_UNCORK: tell(.uncorkRequested)
    default: break
    }
  }

  private func tell(_ event: Event) { context.tell { [weak self] in self?.handler(event) } }
}
