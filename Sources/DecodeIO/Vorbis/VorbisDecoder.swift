// SPDX-License-Identifier: MIT
import AudioModel

/// Vorbis in Ogg, on libvorbisfile: libsndfile's seeks in Vorbis are not exact.
///
/// A chained stream plays through as one sound as long as its parts have the same rate and channels. Where pages
/// were lost the sound goes on behind the gap, and the frames that are missing are not counted.
final class VorbisDecoder: Decoder {
  static let formatName = "Ogg Vorbis"
  static func recognises(_ content: Content) -> Bool { content.hasOggStream([1] + "vorbis".utf8) }

  let format: AudioFormat
  var length: SoundLength { .exact(frames) }
  /// Counted from what the library delivers: the library's own position leaps in recordings whose first page does not
  /// begin at zero.
  private(set) var position = 0

  private let handle: VorbisHandle
  private var frames: Int
  private let shape: (rate: Int, channels: Int)
  /// Whether `position` was counted from the beginning of the sound: no seek has skipped a frame.
  private var isCounted = true
  private var isAtEnd = false

  init(_ content: Content) throws(DecodeError) {
    let handle = try VorbisHandle(content)
    shape = handle.shape
    try content.check(channels: shape.channels)
    format = try content.format(rate: shape.rate, layout: .xiph(channels: shape.channels))
    frames = handle.frames
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    let got = try handle.read(frames: room, like: shape, into: &samples)
    position += got
    frames = max(frames, position)
    if got == 0 { end() }
    return got
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    isCounted = frame == 0
    isAtEnd = frame >= frames
    position = min(frame, frames)
    if !isAtEnd { try drop(frames: frame - handle.seek(toPageBefore: frame)) }
  }

  func measure() throws(DecodeError) -> Int { frames }

  /// Called when the library delivers no more. Only it knows where the sound ends: what the last page says is wrong if
  /// pages were lost.
  private func end() {
    isAtEnd = true
    if isCounted { frames = position }
  }

  /// Decodes and drops frames up to the target of a seek, because the library goes to the beginning of a page only.
  private func drop(frames: Int) throws(DecodeError) {
    var scratch = [Float](repeating: 0, count: 4096 * format.channels)
    var left = frames
    while left > 0 {
      var span = scratch.mutableSpan
      let dropped = try handle.read(frames: min(left, 4096), like: shape, into: &span)
      if dropped == 0 { break }
      left -= dropped
    }
  }
}
