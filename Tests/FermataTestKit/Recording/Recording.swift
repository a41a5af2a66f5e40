// SPDX-License-Identifier: MIT
package import AudioModel
import Glibc

/// What a recorder has recorded: samples, and when they arrived. A value; its methods never wait.
package struct Recording: Sendable {
  /// A piece of sound that arrived at one time.
  struct Fragment: Sendable {
    /// The number of frames in the recording including this fragment.
    var end: Int
    /// When it arrived.
    var time: Duration
  }

  /// The format of the samples.
  package let format: AudioFormat
  /// All samples, interleaved.
  package internal(set) var samples: [Float] = []
  /// The number of frames that the server lost. They are zeros among the samples.
  package internal(set) var lostFrames = 0
  var fragments: [Fragment] = []

  /// A recording of these samples.
  package init(format: AudioFormat, samples: [Float] = []) {
    self.format = format
    self.samples = samples
  }

  /// The number of frames.
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

  /// Every silence of at least `length` frames between the first sound and the last, in order.
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

  /// When a frame arrived at the recorder, by the monotonic clock; nil if it has not arrived.
  ///
  /// If the sink can rewind what it has rendered, a frame arrives when it is played. Otherwise it arrives when it is
  /// rendered, up to 50 ms earlier.
  package func time(ofFrame frame: Int) -> Duration? {
    let index = fragments.partition { $0.end > frame }
    return index < fragments.count ? fragments[index].time : nil
  }
}

extension Array {
  /// The first index whose element satisfies the predicate. Once true for an element, the predicate must be true for
  /// all later ones.
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
