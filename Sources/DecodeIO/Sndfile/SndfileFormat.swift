// SPDX-License-Identifier: MIT

/// What sets one of libsndfile's formats apart from the others. To add a format, add such a type and a line in the
/// table of `Decoders`.
protocol SndfileFormat {
  /// What a person calls it.
  static var name: String { get }
  /// Whether the content is of this format.
  static func recognises(_ content: Content) -> Bool
}
