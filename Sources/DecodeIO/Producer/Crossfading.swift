// SPDX-License-Identifier: MIT
import AudioModel

/// Keeps back the latest decoded frames of a track, so that the next track can be mixed into them.
///
/// It fills while the track plays: at most half of the frames decoded so far are kept back. So the beginning of a track is heard at once, and a short
/// track is not kept back as a whole.
final class HeldEnd {
  private let longest: Int
  private let channels: Int
  private var samples: [Float] = []
  /// The index in `samples` of the first sample that was not given out.
  private var first = 0
  /// How many frames of the track `exchange` has taken so far.
  private var total = 0

  /// Keeps up to `longest` frames back.
  init(longest: Int, channels: Int) { (self.longest, self.channels) = (longest, channels) }

  private var count: Int { (samples.count - first) / channels }

  /// Takes the first `frames` frames of the span, and replaces them by the oldest ones that were kept back. Returns how many it put there: at least
  /// one, and no more than it took.
  func exchange(_ frames: Int, of span: inout MutableSpan<Float>) -> Int {
    guard frames > 0 else { return 0 }
    for index in 0..<frames * channels { samples.append(span[index]) }
    total += frames
    let given = count - min(longest, total / 2, count - 1)
    for index in 0..<given * channels { span[index] = samples[first + index] }
    first += given * channels
    if first > samples.count / 2 {
      samples.removeFirst(first)
      first = 0
    }
    return given
  }

  /// Gives out all frames that were kept back, in their order.
  func takeAll() -> [Float] {
    defer { (samples, first) = ([], 0) }
    return Array(samples[first...])
  }
}

/// The end of a track, over which the next one begins: the old one grows softer while the new one grows louder.
///
/// The sum of their powers stays the same, so that two different pieces of music together are as loud as each alone.
final class FadingEnd {
  private let samples: [Float]
  private let channels: Int
  /// How many frames of the old track are heard before the next track begins.
  let lead: Int
  /// How many frames of the old track are mixed with the next track.
  private let length: Int
  /// The index of the next frame in `samples`.
  private var position = 0
  /// Why the next track broke while it was mixed in.
  var error: DecodeError?

  /// The end of a track. At most `longest` frames of it are mixed; frames before those are heard as they are.
  init(_ samples: [Float], channels: Int, longest: Int) {
    (self.samples, self.channels) = (samples, channels)
    length = min(longest, samples.count / channels)
    lead = samples.count / channels - length
  }

  /// Whether all frames before the next track's beginning were given out.
  var isLeadOver: Bool { position >= lead }

  /// Whether the two tracks sound together at the moment: the next one has begun, and the old one has not come to its end.
  var isMixing: Bool { position > lead && position < lead + length }

  /// Writes frames of the old track alone; returns how many.
  func lead(into span: inout MutableSpan<Float>) -> Int {
    let count = min(lead - position, span.count / channels)
    for index in 0..<count * channels { span[index] = samples[position * channels + index] }
    position += count
    return count
  }

  /// Mixes what is left of the end into the next frames of the new track.
  func mix(_ frames: Int, of span: inout MutableSpan<Float>) {
    let count = min(frames, lead + length - position)
    for frame in 0..<count {
      let (old, new) = gains()
      for channel in 0..<channels {
        let index = frame * channels + channel
        span[index] = span[index] * new + samples[position * channels + channel] * old
      }
      position += 1
    }
  }

  /// Writes the rest of the old track's end when the new track is already over; returns how many frames.
  func ebb(into span: inout MutableSpan<Float>) -> Int {
    let count = min(lead + length - position, span.count / channels)
    for index in 0..<count * channels { span[index] = 0 }
    mix(count, of: &span)
    return count
  }

  private func gains() -> (old: Float, new: Float) {
    let part = (Float(position - lead) + 0.5) / Float(length)
    return ((1 - part).squareRoot(), part.squareRoot())
  }
}

/// Delivers the last frames of a track, which were kept back for a crossfade, if the next track is not mixed with them after all, or if there is none.
final class RestDecoder: Decoder {
  let format: AudioFormat
  private let samples: [Float]
  private(set) var position = 0

  init(_ content: Content) throws(DecodeError) {
    throw DecodeError(.unknownContent, file: content.source.name, reason: "is no rest of a track")
  }

  init(_ samples: [Float], _ format: AudioFormat) { (self.samples, self.format) = (samples, format) }

  private var frames: Int { samples.count / format.channels }
  var length: SoundLength { .exact(frames) }

  func read(into target: inout MutableSpan<Float>) -> Int {
    let count = min(frames - position, target.count / format.channels)
    for index in 0..<count * format.channels { target[index] = samples[position * format.channels + index] }
    position += count
    return count
  }

  func seek(to frame: Int, goesOn _: () -> Bool) { position = min(frame, frames) }
  func measure(goesOn: () -> Bool) -> Int { frames }
}
