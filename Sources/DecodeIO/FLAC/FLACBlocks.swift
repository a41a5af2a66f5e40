// SPDX-License-Identifier: MIT
import CFLAC

/// Receives what libFLAC calls back with: the stream's description, and one decoded block at a time.
final class FLACBlocks {
  let reader: SourceReader

  private(set) var rate = 0
  private(set) var channels = 0
  /// How many frames the stream states; 0 if it doesn't.
  private(set) var statedFrames = 0
  /// Whether a block came with another rate or other channels than the stream's description says.
  private(set) var hasOtherShape = false

  /// Frames of the block that were not taken yet.
  var framesLeft: Int { (block.count - taken) / max(1, channels) }
  /// Where in the sound the first of them belongs.
  var position: Int { blockStart + taken / max(1, channels) }

  private var block: [Float] = []
  private var blockStart = 0
  private var taken = 0

  init(_ reader: SourceReader) { self.reader = reader }

  /// Takes the stream's description.
  func describe(rate: Int, channels: Int, frames: Int) {
    self.rate = rate
    self.channels = channels
    statedFrames = frames
  }

  /// Forgets what was not taken.
  func drop() {
    block.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// Moves up to so many frames to the front of `samples`.
  func take(frames: Int, into samples: inout MutableSpan<Float>) -> Int {
    let count = min(frames, framesLeft) * channels
    precondition(count <= samples.count, "no room for \(frames) frames")
    unsafe samples.withUnsafeMutableBufferPointer { room in
      unsafe block.withUnsafeBufferPointer { block in
        _ = unsafe room.update(fromContentsOf: block[taken..<taken + count])
      }
    }
    taken += count
    return channels == 0 ? 0 : count / channels
  }

  /// Takes a decoded block: integers of `bits` bits, one plane for each channel. What was left of the last block is
  /// dropped.
  func put(
    _ planes: UnsafePointer<UnsafePointer<Int32>?>, frames: Int, channels: Int, rate: Int, bits: Int,
    at start: Int
  ) {
    drop()
    guard channels == self.channels, rate == self.rate else {
      hasOtherShape = true
      return
    }
    block.append(contentsOf: repeatElement(0, count: frames * channels))
    let scale = 1 / Float(1 << (bits - 1))
    var samples = block.mutableSpan
    for channel in 0..<channels {
      guard let plane = unsafe planes[channel] else { continue }
      var index = channel
      for frame in 0..<frames {
        samples[index] = unsafe Float(plane[frame]) * scale
        index += channels
      }
    }
    blockStart = start
  }
}

extension FLACBlocks {
  /// The object behind a pointer that was made by `pointer`; it lives as long as the handle that calls back.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> FLACBlocks? {
    unsafe pointer.map { unsafe Unmanaged<FLACBlocks>.fromOpaque($0).takeUnretainedValue() }
  }

  /// What libFLAC gets as its client data. It is not retained: the owner of the handle owns this object too.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
