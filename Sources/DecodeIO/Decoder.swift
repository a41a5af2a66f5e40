// SPDX-License-Identifier: MIT
package import AudioModel

/// Decodes one file into samples.
///
/// A decoder owns its C handle and its source until it is released. One thread uses it at a time: it may be opened on one thread and handed to
/// another, and is never shared. `read`, `seek` and `measure` block on the source. Whatever bytes the file has, a decoder never crashes or hangs, and
/// its memory does not grow: it reads on, ends, or throws.
///
/// Frames are counted from the first one that a listener is meant to hear: an encoder's delay and padding are cut.
package protocol Decoder: AnyObject, SendableMetatype {
  /// Opens a sound whose format is one that `Decoders` opens with this decoder. Throws if it is damaged or needs what the decoder cannot do.
  init(_ content: Content) throws(DecodeError)

  /// The sound's rate and channels; the same for the decoder's whole life.
  var format: AudioFormat { get }

  var length: SoundLength { get }

  /// How the sound is coded, as found when the file was opened; nil for sound that is in no file. Reads nothing more.
  var coding: SoundCoding? { get }

  /// The frame that the next `read` begins with; below zero only after `join(after:)`.
  var position: Int { get }

  /// Decodes into the front of `samples` and returns how many frames that made; 0 is the end of the sound.
  ///
  /// Fewer frames than there is room for do not mean the end. Allocates nothing of its own. Traps unless there is room
  /// for a frame. Values may exceed ±1 where a lossy codec overshoots; nothing is clipped. After an error the decoder
  /// may be sought elsewhere, or released.
  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int

  /// Goes to a frame. The next `read` delivers exactly what reading from the beginning would deliver there. At or past
  /// the end the next `read` returns 0. Traps on a negative frame.
  ///
  /// It can be called off: if the sound has to be decoded on the way, `goesOn` is asked now and then; once it answers false, this throws `unreadable`.
  func seek(to frame: Int, goesOn: () -> Bool) throws(DecodeError)

  /// Finds the exact number of frames, and reads the whole file if there is no other way. `position` stays the same.
  ///
  /// If the file has to be decoded for that, `goesOn` is asked every few thousand frames. Once it answers false, this throws `unreadable`,
  /// and `position` may be another, as after any error.
  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int

  /// Makes the step from the previous file to this one seamless, if an encoder cut one sound into several files.
  ///
  /// Call it before the first `read`, with the decoder of the track just before; `previous` is not changed. If the files say only that they were cut,
  /// and not from what, `isAlbum` is asked whether they are neighbours on an album. If this file continues the previous one, returns true, and
  /// `position` is then zero or below: frames below zero are the end of the previous track, which can be decoded only together with this file.
  /// Otherwise changes nothing and returns false.
  func join(after previous: any Decoder, if isAlbum: () -> Bool) -> Bool
}

extension Decoder {
  /// Goes to a frame, however long that takes.
  package func seek(to frame: Int) throws(DecodeError) { try seek(to: frame, goesOn: { true }) }

  /// Nil: the default is for samples that come from no file.
  package var coding: SoundCoding? { nil }

  /// False: in most formats no encoder cuts one sound into several files, so there is nothing to join.
  package func join(after previous: any Decoder, if isAlbum: () -> Bool) -> Bool { false }

  /// The exact number of frames, however long it takes to find.
  package func measure() throws(DecodeError) -> Int { try measure { true } }

  /// Decodes frames by `read` and drops them, up to `limit` frames or the end, to count them or to come to an exact frame. `read` is called with the
  /// largest number of frames to decode at once, and a span for them. Returns how many were dropped.
  func drop(
    _ limit: Int = .max, by read: (Int, inout MutableSpan<Float>) throws(DecodeError) -> Int
  ) throws(DecodeError) -> Int {
    let most = 5_760  // as many as the longest packet of Opus has
    var scratch = [Float](repeating: 0, count: min(most, limit) * format.channels)
    var dropped = 0
    while dropped < limit {
      var span = scratch.mutableSpan
      let more = try read(min(most, limit - dropped), &span)
      if more == 0 { break }
      dropped += more
    }
    return dropped
  }
}

/// How many frames a sound has, as far as that can be known without decoding it.
package enum SoundLength: Sendable, Hashable {
  /// The file states the length, and its size does not contradict that.
  case exact(Int)
  /// Estimated from the size and the bit rate; `Decoder.measure()` finds the true number.
  case estimated(Int)
  /// Not known before the sound has been decoded to its end.
  case unknown

  /// The number of frames, exact or estimated; nil if not known.
  package var frames: Int? {
    switch self {
    case .exact(let frames), .estimated(let frames): frames
    case .unknown: nil
    }
  }

  /// The length of the part of the sound that `range` names in frames. What lies past the sound's end does not count.
  func part(_ range: Range<Int>) -> SoundLength {
    switch self {
    case .exact(let frames): .exact(range.clamped(to: 0..<max(0, frames)).count)
    // A part that reaches past the estimated end is an estimate too. A part that ends before it is exactly as long as its range.
    case .estimated(let frames) where range.upperBound > frames:
      .estimated(range.clamped(to: 0..<max(0, frames)).count)
    case .estimated: .exact(range.count)
    case .unknown: .unknown
    }
  }

  /// The number of frames if it is exact; otherwise nil.
  package var exactFrames: Int? {
    guard case .exact(let frames) = self else { return nil }
    return frames
  }
}

/// Why a file cannot be played, or why decoding it ended early.
package struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of error, for callers that treat some kinds differently.
  package enum Code: Sendable, CaseIterable {
    /// The file cannot be opened: it does not exist, or may not be read.
    case cannotOpen
    /// The path names a folder, a device or a pipe.
    case notAFile
    /// The file is empty, or has no sound in it.
    case empty
    /// No decoder here recognises the content.
    case unknownContent
    /// The content is recognised, but uses something that its decoder cannot do.
    case unsupported
    /// The content breaks its own format's rules.
    case damaged
    /// The sound ends before the length that the file itself states.
    case cutShort
    /// The system failed to deliver the bytes, or the caller called the work off.
    case unreadable
  }

  package let code: Code
  /// The name of the file that could not be played, usually its path.
  package let file: String
  /// Where in the file the error is, in bytes; nil if not known.
  package let byteOffset: Int?
  /// The fault, and what would be right, for a person to read: the rest of a sentence that begins with the file's name.
  package let reason: String

  package init(_ code: Code, file: String, byteOffset: Int? = nil, reason: String) {
    (self.code, self.file, self.byteOffset, self.reason) = (code, file, byteOffset, reason)
  }

  /// The error for a file that could be opened but has not a single frame.
  static func noSound(file: String) -> DecodeError {
    DecodeError(.empty, file: file, reason: "has no sound in it: not a single sample")
  }

  /// The error for a measurement or a seek that the caller called off.
  static func calledOff(file: String) -> DecodeError {
    DecodeError(.unreadable, file: file, reason: "was not decoded to the end: that was called off")
  }

  /// The error as a line for people: "song.mp3: at byte 1234: …".
  package var description: String {
    let place = byteOffset.map { " at byte \($0):" } ?? ""
    return "\(file):\(place) \(reason)"
  }
}
