// SPDX-License-Identifier: MIT
internal import AudioModel
internal import CFermataAV

/// Brings sound that has more frames a second than can be played to a rate that can be: each new frame is the mean of some old ones.
///
/// DSD has such rates when it is finer than that of a Super Audio CD: FFmpeg makes a frame of each eight of its bits. What can be heard is far below, and
/// loses 0.04 dB at 20 kHz. Owns the memory of the new frames. Used by one thread.
@safe
final class Thinning {
  /// How many of the file's frames become one; 1 if the file's rate can be played as it is.
  let factor: Int
  private var memory = unsafe UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

  /// For a sound with this many frames a second.
  init(rate: Int) {
    let factors = [1, 2, 4, 8]
    let isPlayable = { (factor: Int) in rate % factor == 0 && AudioFormat.rates.contains(rate / factor) }
    factor = factors.first(where: isPlayable) ?? 1
  }

  deinit { unsafe memory.deallocate() }

  /// Replaces a block's frames by fewer, which are valid until the next call. Frames at its end that are too few for a new one are left out. Of
  /// DSD that happens at the end of the sound only: the number of frames in FFmpeg's other blocks is a multiple of eight.
  func thin(_ block: inout fav_block, channels: Int) {
    guard factor > 1, let old = unsafe block.samples else { return }
    let frames = unsafe max(0, Int(block.frames)) / factor
    reserve(frames * channels)
    for frame in 0..<frames {
      for channel in 0..<channels {
        var sum: Float = 0
        for part in 0..<factor { sum += unsafe old[(frame * factor + part) * channels + channel] }
        unsafe memory[frame * channels + channel] = sum / Float(factor)
      }
    }
    unsafe block.samples = UnsafePointer(memory.baseAddress)
    unsafe block.frames = Int32(frames)
    unsafe block.skip /= Int32(factor)
    unsafe block.discard /= Int32(factor)
  }

  private func reserve(_ count: Int) {
    guard unsafe count > memory.count else { return }
    unsafe memory.deallocate()
    unsafe memory = .allocate(capacity: count)
  }
}
