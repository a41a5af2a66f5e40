// SPDX-License-Identifier: MIT

/// What the user's listening has left behind about an item. It belongs to the item, not to the file's tags.
public struct ListeningRecord: Sendable, Hashable {
  /// The ratings there are; 0 is none.
  public static let ratings = 0...5

  /// Stars.
  public var rating = 0
  /// How often it was heard to its end.
  public var playCount = 0
  /// How often it was left early.
  public var skipCount = 0
  /// When it was last heard to its end, in seconds since 1970 in UTC.
  public var lastPlayed: Int64?

  /// Never heard, never rated.
  public init() {}
}
