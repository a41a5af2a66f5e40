// SPDX-License-Identifier: MIT

/// The volume of a stream, and how loud its channels are beside each other.
package struct BalancedVolume: Sendable, Equatable {
  /// The volume of the loudest channel, as a fraction of the full volume on the scale of a volume slider.
  package var volume: Double
  /// The volume of each channel as a fraction of `volume`, in the order of the stream's channels. Empty if it is not known, or not set: then all
  /// channels are equally loud.
  package var balance: [Double]

  package init(_ volume: Double, balance: [Double] = []) {
    self.volume = volume
    self.balance = balance
  }

  /// The volumes of a stream with this many channels. A balance between another number of channels does not count.
  package func channels(_ count: Int) -> [Double] {
    balance.count == count ? balance.map { $0 * volume } : Array(repeating: volume, count: count)
  }
}

extension BalancedVolume: CustomStringConvertible {
  package var description: String { Set(balance).count < 2 ? "\(volume)" : "\(volume) \(balance)" }
}
