// SPDX-License-Identifier: MIT

/// What sets one of libsndfile's formats apart from the others. Such a decoder is one of these and a line in
/// the table.
protocol SndfileFormat {
  /// What a person calls it.
  static var name: String { get }
  /// Whether the content is of this format.
  static func recognises(_ content: Content) -> Bool
}
