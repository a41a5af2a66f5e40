// SPDX-License-Identifier: MIT
package import AudioModel

/// A sound that was opened, and its beginning decoded, before it is wanted, so that it can be heard at once.
///
/// It is made on a thread that may block, and can be played once.
package final class PreparedSound: @unchecked Sendable {
  // Unchecked, but safe: its properties never change, and one thread at a time uses its decoder: first the one that
  // makes it, then the producer's.
  let source: SoundSource
  let segment: SoundSegment

  /// Opens what a request wants and decodes the first `length` of it. Blocks. Nil if that fails; the error is reported
  /// when the request is played.
  package init?(
    _ request: SoundRequest, length: Duration, buffer: Duration = SoundProducer.standardBuffer
  ) {
    do throws(DecodeError) {
      source = try SoundSource(request)
      segment = SoundSegment(format: source.decoder.format, buffer: buffer)
      _ = try source.make(min(segment.format.frames(in: length), source.left), in: segment)
    } catch {
      return nil
    }
  }

  /// The format of every frame.
  package var format: AudioFormat { segment.format }

  /// Whether this can be played for a request: it is the same sound from the same place on.
  package func fits(_ request: SoundRequest) -> Bool { source.request.isSameSound(as: request) }
}
