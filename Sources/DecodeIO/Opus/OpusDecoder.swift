// SPDX-License-Identifier: MIT
import AudioModel

/// Opus in Ogg, on libopusfile.
///
/// A chained stream plays through as one sound as long as its parts have the same channels. Where pages were lost or are damaged
/// the sound goes on behind the gap, and the frames that are missing are not counted.
final class OpusDecoder: Decoder {
  static let formatName = "Ogg Opus"
  static func recognises(_ content: Content) -> Bool { content.hasOggStream(Array("OpusHead".utf8)) }

  let format: AudioFormat
  private(set) var length: SoundLength
  /// Counted from what the library delivers.
  private(set) var position = 0

  private let content: Content
  private var handle: OpusHandle
  private var isAtEnd = false
  /// Whether `position` was counted from the beginning of the sound: no seek has skipped a frame.
  private var isCounted = true
  /// Whether the times that the pages state can be used. Some servers count them wrongly: then a place can be found
  /// only by decoding all that comes before it.
  private var hasTrueTimes: Bool

  /// The codec's own rate, whatever rate the sound had before it was encoded.
  private static let rate = 48_000
  /// How many frames before the target of a seek are decoded and dropped: a second. The library itself decodes 80 ms,
  /// as the format's specification asks for, and after that music is still off by a tenth of full scale. After a second
  /// it is exact.
  private static let runUp = 48_000

  init(_ content: Content) throws(DecodeError) {
    let handle = try OpusHandle(content)
    try content.check(channels: handle.channels)
    format = try content.format(rate: Self.rate, layout: .xiph(channels: handle.channels))
    length = handle.frames.map { .exact($0) } ?? .unknown
    hasTrueTimes = handle.access == .anywhere
    self.content = content
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    let frames = try handle.read(frames: room, channels: format.channels, into: &samples)
    position += frames
    if frames == 0 { end() } else { checkTimes() }
    return frames
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let end = length.exactFrames ?? .max
    isAtEnd = frame >= end
    if isAtEnd {
      position = end
      isCounted = false
    } else {
      try approach(frame)
      try drop(before: frame)
    }
  }

  func measure() throws(DecodeError) -> Int { try measure { true } }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let survey = try OpusHandle(content, .inOrder)
    var scratch = [Float](repeating: 0, count: 5_760 * format.channels)
    var frames = 0
    while true {
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      var span = scratch.mutableSpan
      let more = try survey.read(frames: 5_760, channels: format.channels, into: &span)
      if more == 0 { break }
      frames += more
    }
    length = .exact(frames)
    return frames
  }

  /// Called when the library delivers no more. Only it knows where the sound ends: what the last page says is wrong if
  /// pages were lost.
  private func end() {
    isAtEnd = true
    if isCounted { length = .exact(position) }
  }

  /// Stops using the pages' times if there is more sound than they state: then they were counted wrongly. Less sound is
  /// only a gap.
  private func checkTimes() {
    guard hasTrueTimes, handle.position < position else { return }
    hasTrueTimes = false
    length = .unknown
  }

  /// Goes to a place before a frame from which the frame can be decoded exactly.
  private func approach(_ frame: Int) throws(DecodeError) {
    let start = max(0, frame - Self.runUp)
    if hasTrueTimes {
      // A seek that fails has left the place as well: then only the beginning is a place that is known.
      isCounted = false
      if try handle.seek(to: start) {
        position = start
        isCounted = start == 0
        return
      }
      hasTrueTimes = false
    }
    if isCounted, position <= frame { return }
    handle = try OpusHandle(content, .inOrder)
    position = 0
    isCounted = true
  }

  private func drop(before frame: Int) throws(DecodeError) {
    var scratch = [Float](repeating: 0, count: 5_760 * format.channels)
    while position < frame {
      var span = scratch.mutableSpan
      let dropped = try handle.read(
        frames: min(5_760, frame - position), channels: format.channels, into: &span)
      if dropped == 0 { return end() }
      position += dropped
    }
  }
}
