// SPDX-License-Identifier: MIT

/// The part of a file that one track of a cue sheet is.
///
/// It counts in a cue sheet's own frames, of which 75 make a second: the usual sample rates are whole
/// multiples of that, so the joint of two tracks falls on the same sample from both sides.
package struct CueSpan: Sendable, Hashable {
  /// Frames in a second.
  package static let framesPerSecond = 75

  /// The first frame that belongs to the track.
  package let start: UInt32
  /// The first frame that no longer does; without one the track goes on to the end of the file.
  package let end: UInt32?

  /// The track from here to there, or nothing if that is no span: it must not be empty, and the highest
  /// number (after 663 days) is not to be had.
  package init?(start: UInt32, end: UInt32? = nil) {
    guard start < UInt32.max, end.map({ start < $0 && $0 < UInt32.max }) ?? true else { return nil }
    self.start = start
    self.end = end
  }
}
