// SPDX-License-Identifier: MIT
import AudioModel

extension Content {
  /// The format for what a file says of its rate and channels. Throws if that cannot be played.
  func format(rate: Int, layout: ChannelLayout) throws(DecodeError) -> AudioFormat {
    guard AudioFormat.rates.contains(rate) else {
      throw error(.unsupported, "has \(rate) samples a second; \(AudioFormat.rates.text) can be played")
    }
    return AudioFormat(rate: rate, layout: layout)
  }

  /// Throws unless a sound may have this many channels.
  func check(channels: Int) throws(DecodeError) {
    guard AudioFormat.channelCounts.contains(channels) else {
      throw error(.unsupported, "has \(channels) channels; \(AudioFormat.channelCounts.text) can be played")
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var text: String { "\(lowerBound) to \(upperBound)" }
}
