// SPDX-License-Identifier: MIT
package import AudioModel
internal import CEBUR128
package import MediaModel

/// Measures the loudness of a sound while it is decoded, with libebur128. Owns the library's state; `deinit` frees it. Used by one thread.
///
/// The library weights frequencies and channels as human hearing does, and computes the loudness of each 400 ms. `LoudnessBlocks` decides which of
/// these blocks count, because the library can neither store its blocks nor combine those of sounds that were measured at different times.
@safe
package struct LoudnessMeter: ~Copyable {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channels: Int
  /// How many frames are between the beginnings of two blocks of 400 ms: 100 ms, rounded as libebur128 does.
  private let stride: Int
  /// How many frames are missing until the next block of 400 ms is complete.
  private var missing: Int
  private var blocks = LoudnessBlocks()
  private var peak: Float = 0

  /// The highest sample that is accepted. A sample that is no number, or far too large, would spoil the whole measurement.
  private static let highest = SampleBounds.largest
  private static let stridesInBlock = 4

  /// A meter for sounds of this format. Throws if the library can't have one.
  package init(_ format: AudioFormat) throws(LoudnessMeterError) {
    channels = format.channels
    stride = (format.rate + 5) / 10
    missing = Self.stridesInBlock * stride
    unsafe state = ebur128_init(UInt32(channels), UInt(format.rate), Int32(EBUR128_MODE_M.rawValue))
    guard unsafe state != nil else { throw LoudnessMeterError() }
    for (index, role) in Self.roles(format).enumerated() {
      _ = unsafe ebur128_set_channel(state, UInt32(index), Int32(role.rawValue))
    }
  }

  deinit {
    var state = unsafe state
    unsafe ebur128_destroy(&state)
  }

  /// Measures the next frames. Samples out of range are changed in place.
  package mutating func add(_ samples: inout MutableSpan<Float>, frames: Int) {
    precondition(frames * channels <= samples.count, "fewer samples than frames")
    for index in 0..<frames * channels {
      let height = abs(samples[index])
      if height <= Self.highest { peak = max(peak, height) } else { samples[index] = 0 }
    }
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      while done < frames {
        let count = min(frames - done, missing)
        _ = unsafe ebur128_add_frames_float(state, base + done * channels, count)
        done += count
        missing -= count
        if missing == 0 { endBlock() }
      }
    }
  }

  private mutating func endBlock() {
    var loudness = -Double.infinity
    if unsafe ebur128_loudness_momentary(state, &loudness) == Int32(EBUR128_SUCCESS.rawValue) {
      blocks.add(loudness)
    }
    missing = stride
  }

  /// The result so far.
  package var measured: MeasuredLoudness {
    MeasuredLoudness(integrated: blocks.integrated, peak: peak, blocks: blocks)
  }

  /// The weight of each channel. A mono channel counts twice, because it is heard from two loudspeakers.
  private static func roles(_ format: AudioFormat) -> [channel] {
    let positions = format.layout.positions
    // If there are side channels too, ITU-R BS.1770 gives rear channels no more weight than front channels.
    let hasSides = positions.contains(.sideLeft) || positions.contains(.sideRight)
    return positions.map { position in
      switch position {
      case .mono: EBUR128_DUAL_MONO
      case .frontLeft, .frontLeftOfCenter: EBUR128_LEFT
      case .frontRight, .frontRightOfCenter: EBUR128_RIGHT
      case .frontCenter, .unplaced: EBUR128_CENTER
      case .lowFrequency: EBUR128_UNUSED
      case .rearLeft: hasSides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND
      case .rearRight: hasSides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND
      case .sideLeft: EBUR128_Mp090
      case .sideRight: EBUR128_Mm090
      case .rearCenter: EBUR128_Mp180
      }
    }
  }
}

/// There is no memory for a meter, or the library does not support the format.
package struct LoudnessMeterError: Error {}
