// SPDX-License-Identifier: MIT
package import AudioModel

/// Turns one file into samples.
///
/// A decoder owns its C handle and its source until it is let go. One thread uses it at a time: it may be
/// opened on one and handed to another, and is never shared. `read`, `seek` and `measure` block on the
/// source. Whatever is in the file, a decoder neither crashes nor hangs nor grows: it reads on, ends, or
/// throws.
///
/// Frames are counted from the first that a listener is meant to hear: an encoder's delay and padding are
/// cut.
package protocol Decoder: AnyObject, SendableMetatype {
  /// What a person calls the formats that it plays: "MP3".
  static var formatName: String { get }

  /// Whether the content is this decoder's. Looks at nothing but the content.
  static func recognises(_ content: Content) -> Bool

  /// Opens content that the decoder recognised. Throws if it is damaged or needs what the decoder cannot do.
  init(_ content: Content) throws(DecodeError)

  /// The sound's rate and channels; the same for the decoder's whole life.
  var format: AudioFormat { get }

  /// How many frames there are.
  var length: SoundLength { get }

  /// The frame that the next `read` begins with; below zero only after `join(after:)`.
  var position: Int { get }

  /// Decodes into the front of `samples` and returns how many frames that made; 0 is the end of the sound.
  ///
  /// Fewer frames than there is room for do not mean the end. Allocates nothing of its own. Traps unless
  /// there is room for a frame. Values may exceed ±1 where a lossy codec overshoots; nothing is clipped.
  /// After an error the decoder may be sought elsewhere, or let go.
  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int

  /// Goes to a frame: the next `read` delivers exactly what it would have there had it come from the
  /// beginning. At or past the end the next `read` returns 0. Traps on a negative frame.
  func seek(to frame: Int) throws(DecodeError)

  /// Finds the exact number of frames, reading the whole file where only that tells; `position` is kept.
  func measure() throws(DecodeError) -> Int

  /// The same for a caller that may lose interest: `goesOn` is asked every few thousand frames where the file has to be
  /// decoded for it. Throws `unreadable` once the answer is false; as after any error, `position` is then not kept.
  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int

  /// Makes the join to the file before this one seamless, where the encoder cut one sound into several files.
  ///
  /// To be called before the first `read`, when `previous` is the track just before on the same album;
  /// `previous` is only looked at. If the two continue each other, the answer is true and `position` is zero
  /// or below: the frames below zero are the end of the previous track, which its own file does not have.
  /// Otherwise nothing changes.
  func join(after previous: any Decoder) -> Bool
}

extension Decoder {
  /// Most formats state how long a sound is, and there is nothing to call off.
  package func measure(goesOn: () -> Bool) throws(DecodeError) -> Int { try measure() }

  /// Most formats keep each file whole, and there is nothing to join.
  package func join(after previous: any Decoder) -> Bool { false }
}
