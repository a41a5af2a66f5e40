// SPDX-License-Identifier: MIT
package import MediaModel

/// Decides where a long item goes on when it is played again.
///
/// Nobody hears an audiobook in one evening. So podcasts, audiobooks and whatever is longer than 20 minutes begin where they were left;
/// songs begin at their beginning.
package enum ResumePlace {
  /// What becomes of an item's place when it is left.
  package enum Verdict: Sendable, Hashable {
    /// Begin here the next time.
    case keep(Duration)
    /// Begin at the beginning the next time.
    case forget
    /// What was kept before stays.
    case leave
  }

  /// Longer items keep their place, whatever they are.
  package static let long = Duration.seconds(20 * 60)
  /// An item that was left so soon has not been begun: somebody looked what it is.
  static let least = Duration.seconds(15)
  /// An item that was left so shortly before its end was heard: what is left are credits.
  static let end = Duration.seconds(30)
  /// It begins a little earlier than it was left, so that the listener finds the thread again.
  static let stepBack = Duration.seconds(3)

  /// Whether an item with these tags keeps its place.
  package static func isKept(for tags: MediaTags) -> Bool {
    switch tags.mediaType {
    case .podcast, .audiobook: true
    case .music: tags.duration.map { $0 > long } ?? false
    }
  }

  /// What becomes of the place of an item that is left at `place`.
  package static func verdict(leaving place: Duration, of tags: MediaTags) -> Verdict {
    guard isKept(for: tags) else { return .forget }
    if let length = tags.duration, place >= length - min(end, length / 20) { return .forget }
    return place < least ? .leave : .keep(place)
  }

  /// Where an item begins whose place was kept. A place that is no longer in the item counts as its beginning.
  package static func start(from kept: Duration, of tags: MediaTags) -> Duration {
    guard isKept(for: tags), kept > stepBack, tags.duration.map({ kept < $0 }) ?? true else { return .zero }
    return kept - stepBack
  }
}
