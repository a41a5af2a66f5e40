// SPDX-License-Identifier: MIT
import AudioModel
import CPulse

/// The samples of a recorder. Its stream fills it on the connection's thread. It is separate from the recorder for
/// the reason that `Bell` gives.
final class Tape: @unchecked Sendable {
  // Touched only with the connection's lock held, by its thread or another: hence `@unchecked Sendable`.
  private(set) var recording = Recording(format: AudioFormat(rate: 48_000, channels: 2))
  private let bell: Bell

  init(bell: Bell) { self.bell = bell }

  /// The tape that a callback's user data points to.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Tape? {
    unsafe pointer.map { unsafe Unmanaged<Tape>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Handles a new state of the stream. Once the stream is ready, its samples are in the sink's format.
  func changeState(of stream: OpaquePointer?) {
    if let stream = unsafe stream, unsafe pa_stream_get_state(stream) == .PA_STREAM_READY {
      let spec = unsafe pa_stream_get_sample_spec(stream).pointee
      recording = Recording(format: AudioFormat(rate: Int(spec.rate), channels: Int(spec.channels)))
    }
    bell.ring()
  }

  /// Takes all samples that have arrived.
  func receive(from stream: OpaquePointer?) {
    guard let stream = unsafe stream else { return }
    let now = Monotonic.now
    while unsafe pa_stream_readable_size(stream) > 0 {
      var data: UnsafeRawPointer?
      var bytes = 0
      guard unsafe pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 else { break }
      unsafe append(data, count: bytes / MemoryLayout<Float>.size)
      unsafe pa_stream_drop(stream)
    }
    recording.fragments.append(.init(end: recording.frames, time: now))
    bell.ring()
  }

  // If there is no data for these samples, the server has lost them.
  private func append(_ data: UnsafeRawPointer?, count: Int) {
    if let data = unsafe data {
      let samples = unsafe data.assumingMemoryBound(to: Float.self)
      unsafe recording.samples.append(contentsOf: UnsafeBufferPointer(start: samples, count: count))
    } else {
      recording.samples.append(contentsOf: repeatElement(0, count: count))
      recording.lostFrames += count / recording.format.channels
    }
  }
}
