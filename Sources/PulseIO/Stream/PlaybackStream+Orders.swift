// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

extension PlaybackStream {
  /// Silences the stream at once and keeps what is written. Does nothing if it is corked already.
  package func cork() { setCorked(true) }

  /// Lets the stream go on from where it stopped. Does nothing if it is not corked.
  package func uncork() { setCorked(false) }

  /// Corks the stream from within a callback of libpulse. Events are held back until the server has obeyed.
  func corkFirst() {
    guard !isCorked else { return }
    isCorked = true
    unsafe context.holdBack(until: order("cork") { unsafe pa_stream_cork($0, 1, $1, $2) })
  }

  private func setCorked(_ corked: Bool) {
    guard isCorked != corked else { return }
    isCorked = corked
    tellCorked()
  }

  func tellCorked() { unsafe forget(pa_stream_cork(raw, isCorked ? 1 : 0, nil, nil)) }

  /// Throws away what is written and not yet heard. What is written next is heard next.
  package func flush() {
    makeShallow()
    unsafe forget(pa_stream_flush(raw, nil, nil))
    // After a flush the server asks for a whole buffer: `refill` need not wait for that request.
    if isReady { unasked = Int((isDeep ? depth.deep : depth.shallow).tlength) }
  }

  /// Starts to play what is written, although it is less than the stream's start length. For when there is no more to
  /// write.
  package func trigger() { unsafe forget(pa_stream_trigger(raw, nil, nil)) }

  /// Takes back the last `frames` that were written, as far as they have not been heard. What is written next takes
  /// their place.
  package func takeBack(_ frames: Int) {
    let count = min(frames, written)
    guard count > 0, isReady else { return }
    // They become silence first, in case nothing is written in their place.
    overwrite(withSilence: count)
    written -= count
    offset = -count * format.bytesPerFrame
  }

  private func overwrite(withSilence frames: Int) {
    let silence = [Float](repeating: 0, count: frames * format.channels)
    let start = Int64(-frames * format.bytesPerFrame)
    unsafe silence.withUnsafeBytes { bytes in
      _ = unsafe pa_stream_write(raw, bytes.baseAddress, bytes.count, nil, start, PA_SEEK_RELATIVE)
    }
  }

  /// Writes what `fill` has, as far as the server has room. Call it when `fill` has sound again after it came up short.
  package func refill() {
    guard isReady else { return }
    let room = unsafe pa_stream_writable_size(raw)
    if room != .max { write(upTo: max(room, unasked)) }
  }

  /// Waits until everything written has been heard. If more is written meanwhile, the return proves nothing.
  package func drain() async throws(PulseError) {
    _ = try await unsafe order("play to the end") { unsafe pa_stream_drain($0, $1, $2) }.get()
  }
}
