// SPDX-License-Identifier: MIT
import AudioModel

/// Keeps the latest frames of a track back, so that the next track can begin while they sound.
///
/// It fills while the track plays: of what has been decoded so far, at most half is kept back. So the beginning of a track is
/// heard at once, and a short track is not all end.
final class HeldEnd {
  private let longest: Int
  private let channels: Int
  private var samples: [Float] = []
  /// The index of the first sample in `samples` that was not given out.
  private var first = 0
  /// How many frames have gone in.
  private var total = 0

  /// Keeps up to `longest` frames back.
  init(longest: Int, channels: Int) { (self.longest, self.channels) = (longest, channels) }

  private var count: Int { (samples.count - first) / channels }

  /// Takes the first `frames` frames of the span, and replaces them by the oldest ones that it has. Returns how many those are: at
  /// least one, and no more than it took.
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

  /// Gives out all that was kept back, in its order.
  func takeAll() -> [Float] {
    defer { (samples, first) = ([], 0) }
    return Array(samples[first...])
  }
}

/// The end of a track, over which the next one begins: the old one grows softer while the new one grows louder.
///
/// The sum of their powers stays the same, so two different pieces of music seem neither louder nor softer on the way.
final class FadingEnd {
  private let samples: [Float]
  private let channels: Int
  /// How many frames sound alone before the next track begins.
  let lead: Int
  /// How many frames sound together with the next track.
  private let length: Int
  /// The next frame of the end.
  private var position = 0

  /// The end of a track, of which at most `longest` frames are mixed. What is before them is heard as it is.
  init(_ samples: [Float], channels: Int, longest: Int) {
    (self.samples, self.channels) = (samples, channels)
    length = min(longest, samples.count / channels)
    lead = samples.count / channels - length
  }

  /// Whether the frames before the next track's beginning were all given out.
  var isLeadOver: Bool { position >= lead }

  /// Writes frames that the old track has alone; returns how many.
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

  /// Writes what is left of the end where the new track is over already; returns how many frames.
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

/// Delivers the rest of a track that was kept back and that nothing is mixed with after all.
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

  func seek(to frame: Int) { position = min(frame, frames) }
  func measure(goesOn: () -> Bool) -> Int { frames }
}
