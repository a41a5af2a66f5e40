// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

extension PlaybackStream {
  /// Makes the stream silent at once, keeping what is written. Does nothing where it is.
  package func cork() { setCorked(true) }

  /// Lets it sound again where it stopped. Does nothing where it does.
  package func uncork() { setCorked(false) }

  /// The same in a callback of the library, before anybody is told of anything.
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

  /// Throws away what is written and not yet heard; what is written next is heard next.
  package func flush() {
    makeShallow()
    unsafe forget(pa_stream_flush(raw, nil, nil))
    // What it asks for now is known before it does.
    if isReady { unasked = Int((isDeep ? depth.deep : depth.shallow).tlength) }
  }

  /// Lets what is written sound, although it is less than the stream was to begin with: there is no more.
  package func trigger() { unsafe forget(pa_stream_trigger(raw, nil, nil)) }

  /// Takes back the last `frames` that were written, as far as they have not been heard: what is written next takes their place.
  package func takeBack(_ frames: Int) {
    let count = min(frames, written)
    guard count > 0, isReady else { return }
    // Whoever has nothing to write in their place means silence.
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

  /// Writes what `fill` has, as far as the server has room. To be called when `fill` has more after it had not enough.
  package func refill() {
    guard isReady else { return }
    let room = unsafe pa_stream_writable_size(raw)
    if room != .max { write(upTo: max(room, unasked)) }
  }

  /// Waits until all that is written has been heard. More may be written meanwhile, but then it says nothing.
  package func drain() async throws(PulseError) {
    _ = try await unsafe order("play to the end") { unsafe pa_stream_drain($0, $1, $2) }.get()
  }
}
