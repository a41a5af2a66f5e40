// SPDX-License-Identifier: MIT

/// What the user's listening has left behind about an item. It belongs to the item, not to the file's tags.
package struct ListeningRecord: Sendable, Hashable {
  /// The ratings that can be given; 0 means not rated.
  package static let ratings = 0...5

  /// Stars.
  package var rating = 0
  /// How often it was heard to its end.
  package var playCount = 0
  /// How often it was left early.
  package var skipCount = 0
  /// When it was last heard to its end, in seconds since 1970 in UTC.
  package var lastPlayed: Int64?

  /// Never heard, never rated.
  package init() {}
}
