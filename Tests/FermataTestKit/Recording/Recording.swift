// SPDX-License-Identifier: MIT
package import AudioModel
import Glibc

/// What was heard: samples, and when they came. A value; all questions about it are answered without waiting.
package struct Recording: Sendable {
  /// A piece of sound that came at once.
  struct Fragment: Sendable {
    /// The number of frames that were there with it.
    var end: Int
    /// When it came.
    var time: Duration
  }

  /// How the samples are laid out.
  package let format: AudioFormat
  /// All of them, interleaved.
  package internal(set) var samples: [Float] = []
  /// Frames that the server lost on the way; they stand as zeros among the samples.
  package internal(set) var lostFrames = 0
  var fragments: [Fragment] = []

  /// A recording of these samples.
  package init(format: AudioFormat, samples: [Float] = []) {
    self.format = format
    self.samples = samples
  }

  /// How many frames there are.
  package var frames: Int { samples.count / format.channels }

  /// The samples of one channel.
  package func channel(_ channel: Int) -> [Float] {
    stride(from: channel, to: samples.count, by: format.channels).map { samples[$0] }
  }

  /// Whether any channel of a frame is louder than `floor`.
  package func isSounding(_ frame: Int, floor: Float = 0) -> Bool {
    (0..<format.channels).contains { abs(samples[frame * format.channels + $0]) > floor }
  }

  /// The first frame from `start` on that is not silent.
  package func firstSound(from start: Int = 0, floor: Float = 0) -> Int? {
    (start..<max(start, frames)).first { isSounding($0, floor: floor) }
  }

  /// The last frame that is not silent.
  package func lastSound(floor: Float = 0) -> Int? {
    (0..<frames).last { isSounding($0, floor: floor) }
  }

  /// Every silence of at least so many frames between the first sound and the last, in order.
  package func gaps(ofAtLeast length: Int = 1, floor: Float = 0) -> [Range<Int>] {
    guard let first = firstSound(floor: floor), let last = lastSound(floor: floor) else { return [] }
    var gaps: [Range<Int>] = []
    var previous = first
    for frame in first...last where isSounding(frame, floor: floor) {
      if frame - previous > length { gaps.append(previous + 1..<frame) }
      previous = frame
    }
    return gaps
  }

  /// When a frame came to the recorder, by the monotonic clock; `nil` for one that has not come.
  ///
  /// A sink that can take back what it rendered gives a frame away as it is played, any other when it is rendered,
  /// up to 50 ms before.
  package func time(ofFrame frame: Int) -> Duration? {
    let index = fragments.partition { $0.end > frame }
    return index < fragments.count ? fragments[index].time : nil
  }
}

extension Array {
  /// The first index whose element satisfies a predicate that never turns false again.
  fileprivate func partition(by isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
