// SPDX-License-Identifier: MIT
package import AudioModel

/// A sound that was opened, and its beginning decoded, before it is wanted: it can be heard at once.
///
/// It is made on a thread that may block, and used up when it is played.
package final class PreparedSound: @unchecked Sendable {
  // Unchecked: nothing of it changes, and its decoder is used by one thread at a time: by the one that makes it, and then by the producer's.
  let source: SoundSource
  let segment: SoundSegment

  /// Opens what a request wants and decodes the first `length` of it. Blocks. Nil where that fails: whoever plays it hears why.
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

  /// Of every frame.
  package var format: AudioFormat { segment.format }

  /// Whether this is what a request wants.
  package func fits(_ request: SoundRequest) -> Bool { source.request.isSameSound(as: request) }
}
