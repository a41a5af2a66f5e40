// SPDX-License-Identifier: MIT

/// How the ends of one playing are mixed with its neighbours.
package struct Crossfade: Sendable, Hashable {
  /// How long the end of this sound may be mixed with the next one. At most half of the track is used.
  package var ending: Duration
  /// Whether this sound may begin while the end of the previous track still sounds. If not, it begins after that end.
  package var mixesIn: Bool

  package init(ending: Duration = .zero, mixesIn: Bool = false) {
    (self.ending, self.mixesIn) = (ending, mixesIn)
  }

  /// No mixing: one track ends, and then the next begins.
  package static let none = Crossfade()
}
