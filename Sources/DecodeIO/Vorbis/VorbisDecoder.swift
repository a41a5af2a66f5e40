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
  /// Counted by what the library delivers: the position that it tells itself leaps in files that begin late.
  private(set) var position = 0

  private let handle: VorbisHandle
  private var frames: Int
  private let shape: (rate: Int, channels: Int)
  /// Whether every frame up to `position` was counted since the beginning.
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

  /// Only the library knows where the sound ends: what the last page says of it is wrong where pages were lost.
  private func end() {
    isAtEnd = true
    if isCounted { frames = position }
  }

  /// The library goes to the beginning of a page; what is left to the target of a seek is decoded and dropped.
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
