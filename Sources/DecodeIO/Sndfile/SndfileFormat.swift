// SPDX-License-Identifier: MIT
import AudioModel

/// What sets one of libsndfile's formats apart from the others. Such a decoder is one of these and a line in
/// the table.
protocol SndfileFormat {
  /// What a person calls it.
  static var name: String { get }
  /// Whether the content is of this format.
  static func recognises(_ content: Content) -> Bool
  /// The order of channels in files that do not say it.
  static func layout(channels: Int) -> ChannelLayout
  /// The rate to decode at where that is the decoder's to choose; nil for the file's own.
  static var rate: Int32? { get }
  /// How many frames before the target of a seek have to be decoded and dropped for the target to be exact.
  static var runUp: Int { get }
}

extension SndfileFormat {
  static func layout(channels: Int) -> ChannelLayout { .usual(channels: channels) }
  static var rate: Int32? { nil }
  static var runUp: Int { 0 }
}
