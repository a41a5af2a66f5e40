// SPDX-License-Identifier: MIT

/// The part of a file that is one track of a cue sheet.
///
/// It counts in the frames of cue sheets, 75 per second. The usual sample rates are whole multiples of 75, so the end of one
/// track and the start of the next fall on the same sample.
package struct CueSpan: Sendable, Hashable {
  /// Frames in a second.
  package static let framesPerSecond = 75

  /// The first frame that belongs to the track.
  package let start: UInt32
  /// The first frame after the track. Nil if the track reaches to the end of the file.
  package let end: UInt32?

  /// The span from `start` up to `end`. Nil if it would be empty, or if either is `UInt32.max` (a place after 663 days), which
  /// `Entry` uses for "none".
  package init?(start: UInt32, end: UInt32? = nil) {
    guard start < UInt32.max, end.map({ start < $0 && $0 < UInt32.max }) ?? true else { return nil }
    self.start = start
    self.end = end
  }
}
