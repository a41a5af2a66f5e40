// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

/// Records what a sink plays: its monitor, as floats at the sink's own rate and channels, on a thread and a
/// connection of its own, from its creation until it is released.
///
/// It stays with its sink: if the sink disappears, the recording ends and keeps what it has. Any thread may call it.
/// The waiting calls throw when their deadline passes.
///
/// Usually made by `SoundServer.record`.
@safe package final class Recorder: @unchecked Sendable {
  // `stream` never changes, and what it points to is touched only with the connection's lock held: hence
  // `@unchecked Sendable`.
  private let stream: OpaquePointer
  private let tape: Tape

  private let connection: PulseConnection
  /// The name of the sink that it records.
  package let sink: String

  /// Starts recording in fragments of `latency`. Returns when the server has accepted the stream; throws if it
  /// doesn't.
  package init(sink: String, monitor: String, address: String, latency: Duration = .milliseconds(10)) throws {
    self.sink = sink
    let connection = try PulseConnection(address: address, name: "a test's recorder")
    self.connection = connection
    tape = Tape(bell: connection.bell)
    var spec = pa_sample_spec(format: cpulse_float32_native, rate: 48_000, channels: 2)
    unsafe stream = try connection.withContext { context in
      guard let stream = unsafe pa_stream_new(context, "what \(sink) plays", &spec, nil) else {
        throw KitError("cannot record \(sink): \(connection.lastError)")
      }
      return unsafe stream
    }
    try connection.locked { try connect(to: monitor, latency) }
  }

  // The stream's callbacks hold no reference to this object. They are cleared before it is released, under the lock
  // that they run with.
  deinit {
    connection.locked {
      unsafe pa_stream_set_read_callback(stream, nil, nil)
      unsafe pa_stream_set_state_callback(stream, nil, nil)
      unsafe pa_stream_disconnect(stream)
      unsafe pa_stream_unref(stream)
    }
  }

  private func connect(to monitor: String, _ latency: Duration) throws {
    let pointer = unsafe Unmanaged.passUnretained(tape).toOpaque()
    unsafe pa_stream_set_read_callback(stream, { unsafe Tape.from($2)?.receive(from: $0) }, pointer)
    unsafe pa_stream_set_state_callback(stream, { unsafe Tape.from($1)?.changeState(of: $0) }, pointer)
    var buffer = pa_buffer_attr()
    buffer.maxlength = UInt32.max
    let format = tape.recording.format
    buffer.fragsize = UInt32(format.bytesPerFrame * format.frames(in: latency))
    let flags: pa_stream_flags = [
      .PA_STREAM_FIX_RATE, .PA_STREAM_FIX_CHANNELS, .PA_STREAM_ADJUST_LATENCY, .PA_STREAM_DONT_MOVE,
    ]
    guard unsafe pa_stream_connect_record(stream, monitor, &buffer, flags) >= 0 else {
      throw KitError("cannot record \(sink): \(connection.lastError)")
    }
    try connection.wait("a recording of \(sink)", within: .patience) { try isReady() ? true : nil }
  }

  private func isReady() throws -> Bool {
    switch unsafe pa_stream_get_state(stream) {
    case .PA_STREAM_READY: return true
    case .PA_STREAM_FAILED, .PA_STREAM_TERMINATED:
      throw KitError("the recording of \(sink) has ended: \(connection.lastError)")
    default: return false
    }
  }

  /// The format of the samples.
  package var format: AudioFormat { connection.locked { tape.recording.format } }
  /// What has been recorded so far.
  package var recording: Recording { connection.locked { tape.recording } }
  /// The number of frames recorded so far.
  package var frames: Int { connection.locked { tape.recording.frames } }

  /// Waits until this many frames have been recorded, and returns the whole recording.
  @discardableResult
  package func wait(forFrames frames: Int, within patience: Duration = .patience) throws -> Recording {
    try wait("\(frames) frames of \(sink)", within: patience) {
      tape.recording.frames >= frames ? tape.recording : nil
    }
  }

  /// Waits for a frame at or after `start` that is not silent, and returns the first one.
  @discardableResult
  package func waitForSound(from start: Int = 0, floor: Float = 0, within patience: Duration = .patience)
    throws -> Int
  {
    var next = start
    return try wait("a sound on \(sink)", within: patience) {
      let found = tape.recording.firstSound(from: next, floor: floor)
      next = max(next, tape.recording.frames)  // the frames before this are known to be silent
      return found
    }
  }

  /// Waits for a silence of this length that begins at or after frame `start`, and returns its first frame.
  @discardableResult
  package func waitForSilence(
    lasting span: Duration, from start: Int = 0, floor: Float = 0, within patience: Duration = .patience
  ) throws -> Int {
    var begin = start
    var next = start
    return try wait("a silence of \(span) on \(sink)", within: patience) {
      while let sounding = tape.recording.firstSound(from: next, floor: floor) {
        begin = sounding + 1
        next = begin
      }
      next = max(next, tape.recording.frames)
      return tape.recording.frames - begin >= tape.recording.format.frames(in: span) ? begin : nil
    }
  }

  private func wait<R>(_ what: String, within patience: Duration, for result: () -> R?) throws -> R {
    try connection.locked {
      try connection.wait(what, within: patience) {
        if let result = result() { return result }
        _ = try isReady()
        return nil
      }
    }
  }
}
