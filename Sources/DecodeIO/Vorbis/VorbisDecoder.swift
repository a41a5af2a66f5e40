// SPDX-License-Identifier: MIT
import AudioModel

/// Vorbis in Ogg, on libvorbisfile: libsndfile's seeks in Vorbis are not exact.
///
/// A chained stream plays through as one sound as long as its parts have the same rate and channels.
final class VorbisDecoder: Decoder {
  static let formatName = "Ogg Vorbis"
  static func recognises(_ content: Content) -> Bool { content.hasOggStream([1] + "vorbis".utf8) }

  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  private let handle: VorbisHandle
  private let shape: (rate: Int, channels: Int)

  init(_ content: Content) throws(DecodeError) {
    let handle = try VorbisHandle(content)
    shape = handle.shape
    try content.check(channels: shape.channels)
    format = try content.format(rate: shape.rate, layout: .xiph(channels: shape.channels))
    length = handle.frames.map { .exact($0) } ?? .unknown
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if let end = length.exactFrames, position >= end { return 0 }
    let frames = try handle.read(frames: room, like: shape, into: &samples)
    position = frames == 0 ? position : handle.position
    if frames == 0 { try checkEnd() }
    return frames
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let target = min(frame, length.exactFrames ?? frame)
    if target != length.exactFrames { try handle.seek(to: target) }
    position = target
  }

  func measure() throws(DecodeError) -> Int { length.frames ?? 0 }

  private func checkEnd() throws(DecodeError) {
    guard let end = length.exactFrames, position < end else { return }
    throw handle.error(.cutShort, "ends after \(position) frames, though it says that there are \(end)")
  }
}
