// SPDX-License-Identifier: MIT

/// What the producer tells the loop.
package enum ProducerEvent: Sendable {
  /// The decoding of a track began: its first frame is `part.start` of the segment.
  case began(SoundSegment.Part, in: SoundSegment)
  /// The segment has frames again after it came up short.
  case more(SoundSegment)
  /// A track could not be opened, or ended without a single frame. Nothing of it is to be heard.
  case failed(track: UInt64, DecodeError)
  /// A track could not be decoded any further. What it had made until then is to be heard; then comes the failure.
  case broke(track: UInt64, DecodeError)
  /// A track's last frame was made, and nothing is known to follow it.
  case exhausted(track: UInt64)
  /// From frame `at` on, the segment is not wanted any more: what should follow there was changed after it had been
  /// begun, or had no sound. The new follower, if there is one, begins in a segment of its own.
  case cut(SoundSegment, at: Int)
}
