// SPDX-License-Identifier: MIT

/// How the ends of one playing are mixed with its neighbours.
package struct Crossfade: Sendable, Hashable {
  /// How much of its end may be mixed with what follows. Half of the track at most is used.
  package var ending: Duration
  /// Whether it may begin while the end of the track before it still sounds. If not, it begins when that is over.
  package var mixesIn: Bool

  package init(ending: Duration = .zero, mixesIn: Bool = false) {
    (self.ending, self.mixesIn) = (ending, mixesIn)
  }

  /// Nothing is mixed: one track ends, and then the next begins.
  package static let none = Crossfade()
}
