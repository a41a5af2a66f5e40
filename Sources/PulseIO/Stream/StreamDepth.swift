// SPDX-License-Identifier: MIT
import AudioModel
import CPulse

/// How large the server's buffer for a stream is, and how much of it must be filled before the sound starts.
///
/// A server renders half of the buffer at once. If it finds less sound than that, it renders silence for the rest. When
/// more sound comes it has to take that silence back, and not every output can do that. So a stream starts with a small
/// ("shallow") buffer and gets a large ("deep") one when it plays.
struct StreamDepth {
  private let format: AudioFormat
  private let start: Duration
  private let full: Duration

  init(_ settings: PlaybackStream.Settings) {
    format = settings.format
    start = settings.startLength
    full = settings.bufferLength
  }

  /// Whether the stream uses two depths. If not, it is deep from the beginning.
  var hasShallow: Bool { start > .zero && shallowLength < full }

  /// The attributes for a stream that should start to sound soon.
  var shallow: pa_buffer_attr { hasShallow ? attributes(length: shallowLength, start: start) : deep }

  /// The attributes for a stream that plays. If it ever runs dry, it starts again when half of the buffer is filled,
  /// which is what the server renders at once. With a start length of zero it starts again with the first frame.
  var deep: pa_buffer_attr { attributes(length: full, start: start == .zero ? .zero : full / 2) }

  /// The server sets aside two requests of its usual size, 20 ms each, besides the half that it renders at once.
  private var shallowLength: Duration { start * 2 + .milliseconds(40) }

  private func attributes(length: Duration, start: Duration) -> pa_buffer_attr {
    pa_buffer_attr(
      maxlength: .max, tlength: bytes(length), prebuf: max(UInt32(format.bytesPerFrame), bytes(start)),
      minreq: .max, fragsize: .max)
  }

  private func bytes(_ length: Duration) -> UInt32 {
    UInt32(format.frames(in: length) * format.bytesPerFrame)
  }
}
