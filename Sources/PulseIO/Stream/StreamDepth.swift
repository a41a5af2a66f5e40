// SPDX-License-Identifier: MIT
import AudioModel
import CPulse

/// How much sound lies ready at the server, and how much has to be there before it begins.
///
/// A server makes half of the depth into sound at once. Where it finds less it makes silence of the rest, which it has to take
/// back when more comes, and not every output can. So a stream begins shallow, with little sound, and is made deep when it
/// plays.
struct StreamDepth {
  private let format: AudioFormat
  private let start: Duration
  private let full: Duration

  init(_ settings: PlaybackStream.Settings) {
    format = settings.format
    start = settings.startLength
    full = settings.bufferLength
  }

  /// Whether there are two depths at all.
  var hasShallow: Bool { start > .zero && shallowLength < full }

  /// Of a stream that is to begin soon.
  var shallow: pa_buffer_attr { hasShallow ? attributes(length: shallowLength, start: start) : deep }

  /// Of one that plays. Should it ever run dry, it begins again with what the server makes into sound at once.
  var deep: pa_buffer_attr { attributes(length: full, start: start == .zero ? .zero : full / 2) }

  /// The server keeps two requests of its usual size, 20 ms, apart from the half that it takes at once.
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
