// SPDX-License-Identifier: MIT

/// A frame in stereo.
typealias PadFrame = SIMD2<Float>

/// What is still heard of a sound that was cut off, until it has faded: frames to be added to those of the sound that takes its place.
///
/// The sound fades in a straight line. Added to the beginning of another one that would make larger steps from frame to frame than
/// either sound makes by itself, and large steps are heard as clicks. So where the sum would take one, the rest is changed, and the sum
/// takes no larger step than the two sounds do. There is one exception: a dull sound that is loud where it is cut off may need larger
/// steps to be silent in time. Then the sum takes none that is larger than those of a straight line to where it has to be.
///
/// Memory is allocated when it is made, and not after that.
struct PadRest: Sendable {
  /// How many frames a fade has.
  let length: Int
  /// The frame that was heard last, before the first one of the fade, and then those of the fade.
  private var frames: [PadFrame]

  /// A rest that is silent until `make` is called.
  init(length: Int) {
    self.length = length
    frames = [PadFrame](repeating: .zero, count: length + 1)
  }

  /// The fade's frame with this index; at -1 it is the one that was heard just before the fade. Behind the fade there is silence.
  subscript(step: Int) -> PadFrame { step < length ? frames[step + 1] : .zero }

  /// Makes it the rest of `old`, to be heard with the beginning of `new`, which is multiplied by `gain`, or by itself. `step` is the largest step
  /// from frame to frame that either sound makes by itself.
  mutating func make(of old: CutOff, beside new: PadSound?, gain: Float, step: Float) {
    let end = new.map { $0.frame(length) * gain } ?? .zero
    var sum = old.last
    frames[0] = sum
    let way = max((sum - end).max(), (end - sum).max())
    let step = max(step, way / Float(length + 1))
    for index in 0..<length {
      let beginning = new.map { $0.frame(index) * gain } ?? .zero
      let reach = step * Float(length - index)
      let wanted = beginning + old.fading(index, of: length)
      sum = wanted.clamped(
        lowerBound: pointwiseMax(sum - step, end - reach), upperBound: pointwiseMin(sum + step, end + reach))
      frames[index + 1] = sum - beginning
    }
  }

  /// Adds `count` frames of the fade, from `first` on, to the stereo samples in `mix` from index `start` on.
  func add(from first: Int, _ count: Int, to mix: inout MutableSpan<Float>, at start: Int) {
    for index in 0..<max(0, min(count, length - first)) {
      let frame = frames[first + index + 1]
      mix[start + index * 2] += frame.x
      mix[start + index * 2 + 1] += frame.y
    }
  }

  /// How many frames of the fade come before it stays silent.
  var framesLeft: Int { (frames.dropFirst().lastIndex { $0 != .zero } ?? 0) }
}

/// A sound that is cut off, and what was still heard with it of the one before.
struct CutOff {
  let sound: PadSound
  /// The frame that would have been heard next.
  let frame: Int
  let gain: Float
  var rest: PadRest?

  /// The frame that was heard last. If nothing of the sound was heard yet, it is the last one of the sound before it, which `rest` knows.
  var last: PadFrame { whole(frame - 1) }

  /// The frame that would have been heard `step` frames after the cut, made softer as in a fade of `length` frames. A sound of which nothing was
  /// heard is left out.
  func fading(_ step: Int, of length: Int) -> PadFrame {
    if frame == 0 { return rest?[step] ?? .zero }
    return whole(frame + step) * (Float(length - step) / Float(length + 1))
  }

  private func whole(_ frame: Int) -> PadFrame { sound.frame(frame) * gain + (rest?[frame] ?? .zero) }
}

/// The sum of all rests (fading ends of sounds) that are heard with no new sound. So any number of them costs the same memory.
struct FadeOut: Sendable {
  /// How many frames a fade has.
  let length: Int
  /// The frames to be heard, as a ring; the next one is at `place`.
  private var sum: [PadFrame]
  private var place = 0
  /// How many frames are not silent yet.
  private(set) var left = 0

  init(length: Int) {
    self.length = length
    sum = [PadFrame](repeating: .zero, count: length)
  }

  /// Adds a rest, which is heard from the next frame on.
  mutating func add(_ rest: PadRest) {
    for step in 0..<length { sum[(place + step) % length] += rest[step] }
    left = max(left, rest.framesLeft)
  }

  /// Adds the next `frames` frames, as far as they aren't silent, to the stereo samples in `mix` from index `start` on. They are then used up.
  mutating func take(_ frames: Int, to mix: inout MutableSpan<Float>, at start: Int) {
    let count = min(frames, left)
    for frame in 0..<count {
      mix[start + frame * 2] += sum[place].x
      mix[start + frame * 2 + 1] += sum[place].y
      sum[place] = .zero
      place = place + 1 == length ? 0 : place + 1
    }
    left -= count
  }

  mutating func clear() {
    for index in sum.indices { sum[index] = .zero }
    left = 0
  }
}

extension PadSound {
  /// The frame with this number, in stereo; silence before the first one and behind the last one.
  func frame(_ frame: Int) -> PadFrame {
    guard frame >= 0, frame < frames else { return .zero }
    return channels == 1
      ? PadFrame(repeating: samples[frame]) : PadFrame(samples[frame * 2], samples[frame * 2 + 1])
  }

  /// The largest step between two frames that follow each other. Silence precedes the first one, and follows the last one.
  var largestStep: Float {
    var largest: Float = 0
    for frame in 0...frames {
      let step = self.frame(frame) - self.frame(frame - 1)
      largest = max(largest, step.max(), -step.min())
    }
    return largest
  }
}
