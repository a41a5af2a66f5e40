// SPDX-License-Identifier: MIT

/// The entries that somebody asked to hear next: a stretch of the play order, known by its two ends.
struct AskedRun: Sendable, Equatable {
  var first: Slot
  var last: Slot
}
