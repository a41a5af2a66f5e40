// SPDX-License-Identifier: MIT
import AudioModel

/// Vorbis in Ogg, on libvorbisfile: libsndfile's seeks in Vorbis are not exact.
///
/// A chained stream plays through as one sound as long as its parts have the same rate and channels.
final class VorbisDecoder: Decoder {
  static let formatName = "Ogg Vorbis"
  static func recognises(_ content: Content) -> Bool { content.hasOggStream([1] + "vorbis".utf8) }

  let format: AudioFormat
  var length: SoundLength { .exact(frames) }
  private(set) var position = 0

  private let handle: VorbisHandle
  private let frames: Int
  private let shape: (rate: Int, channels: Int)

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
    if position >= frames { return 0 }
    let got = try handle.read(frames: room, like: shape, into: &samples)
    if got == 0 {
      throw handle.error(.cutShort, "ends after \(position) frames, though it says that there are \(frames)")
    }
    position = handle.position
    return got
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    if frame < frames { try handle.seek(to: frame) }
    position = min(frame, frames)
  }

  func measure() throws(DecodeError) -> Int { frames }
}
