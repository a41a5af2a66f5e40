// SPDX-License-Identifier: MIT

/// How the end and the beginning of one track are mixed with the tracks before and after it.
package struct Crossfade: Sendable, Hashable {
  /// For how long the end of this track may sound together with the beginning of the next one; never more than half of the track.
  package var ending: Duration
  /// Whether this track may begin while the previous one still sounds. If false, it begins after the previous one has ended.
  package var mixesIn: Bool

  package init(ending: Duration = .zero, mixesIn: Bool = false) {
    (self.ending, self.mixesIn) = (ending, mixesIn)
  }

  /// No mixing: one track ends, and then the next begins.
  package static let none = Crossfade()
}
