// SPDX-License-Identifier: MIT
import AudioModel

/// A decoder on libsndfile for one of its formats.
final class SndfileDecoder<Format: SndfileFormat>: Decoder {
  static var formatName: String { Format.name }
  static func recognises(_ content: Content) -> Bool { Format.recognises(content) }

  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  private let handle: SndfileHandle
  private let content: Content

  init(_ content: Content) throws(DecodeError) {
    let handle = try SndfileHandle(content.body, of: Format.name)
    try content.check(channels: handle.channels)
    let layout = handle.positions.map(ChannelLayout.init) ?? .usual(channels: handle.channels)
    format = try content.format(rate: handle.rate, layout: layout)
    length = handle.frames.map { .exact($0) } ?? .unknown
    self.content = content
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if let end = length.exactFrames, position >= end { return 0 }
    let frames = try handle.read(frames: room, into: &samples)
    if frames == 0 { try checkEnd() }
    position += frames
    return frames
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let target = min(frame, length.exactFrames ?? frame)
    // The end is a valid position, but some codecs cannot seek to it.
    if target != length.exactFrames {
      guard try handle.seek(to: target) == target else {
        throw failure("cannot be sought to frame \(target)")
      }
    }
    position = target
  }

  func measure() throws(DecodeError) -> Int { try measure { true } }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let place = position
    var scratch = [Float](repeating: 0, count: 4096 * format.channels)
    while true {
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      var span = scratch.mutableSpan
      let frames = try read(into: &span)
      if frames == 0 { break }
    }
    let frames = position
    length = .exact(frames)
    try seek(to: place)
    return frames
  }

  /// Throws when no more samples come though the end was not reached.
  private func checkEnd() throws(DecodeError) {
    if handle.hasComplaint { throw failure("has \(Format.name) that cannot be decoded further") }
    guard let end = length.exactFrames, position < end else { return }
    throw content.error(
      .cutShort, at: content.start + handle.reader.offset,
      "ends after \(position) frames, though it says that there are \(end)")
  }

  private func failure(_ reason: String) -> DecodeError {
    content.error(.damaged, at: content.start + handle.reader.offset, reason)
  }
}
