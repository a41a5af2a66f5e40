// SPDX-License-Identifier: MIT
import AudioModel

/// Decides what to report of the listener's progress through the sound. A value. After every change, `step` is called again and again until it
/// returns nil. Each time that an entry is played is a *playing*, with a number of its own.
struct Listener: Equatable {
  /// The next thing to report or do.
  enum Step: Equatable {
    /// The first frame of this playing of an entry is heard now.
    case heard(PlayID)
    /// The last frame of this playing of an entry was heard. The next step tells what follows it.
    case left(PlayID)
    /// This stream was heard to its end: let the next one begin.
    case nextStream
    /// The last frame was heard, and nothing follows. This was the last playing.
    case ended(PlayID)
    /// Do nothing until this many more frames have been heard.
    case wait(frames: Int)
  }

  /// The playing of an entry that is heard, or was heard last; nil before the first.
  private(set) var play: PlayID?
  /// Whether `left` was returned for `play`.
  private var hasLeft = false

  /// The next step when this frame of the stream is heard; nil if there is nothing to do until the table changes.
  mutating func step(at frame: Int, in table: SoundTable) -> Step? {
    if let (heard, _) = table.place(of: frame), heard != play { return leave() ?? arrive(heard) }
    guard let next = table.change(after: frame) else { return nil }
    if next > frame { return .wait(frames: next - frame) }
    switch table.ending {
    case .nextStream: return leave() ?? .nextStream
    case .silence(let last, _): return leave() ?? .ended(last)
    case .open: return nil
    }
  }

  private mutating func arrive(_ heard: PlayID) -> Step {
    play = heard
    hasLeft = false
    return .heard(heard)
  }

  private mutating func leave() -> Step? {
    guard let play, !hasLeft else { return nil }
    hasLeft = true
    return .left(play)
  }
}

/// Tells which playing each frame of a stream belongs to. A value, made anew from the segments that went into the stream.
struct SoundTable: Equatable {
  /// Frames in a row that belong to one playing: from `start` to the next stretch.
  struct Stretch: Equatable {
    let play: PlayID
    /// The frame of the stream at which the stretch begins.
    let start: Int
    /// The number of that frame within its track.
    let trackFrame: Int
  }

  /// What follows the frames that were written into the stream.
  enum Ending: Equatable {
    /// More frames of this stream, or something that is not known yet.
    case open
    /// A stream of another format begins when frame `at` has been reached.
    case nextStream(at: Int)
    /// Nothing: at frame `at` this playing ends, and all sound with it.
    case silence(after: PlayID, at: Int)
  }

  /// The stretches in the stream's order.
  let stretches: [Stretch]
  /// How many frames were written into the stream so far.
  var end = Int.max
  let ending: Ending

  /// The playing that a frame belongs to, and the frame's number within its track; nil before the first stretch. A stretch without a written frame
  /// does not count, because it may never get one.
  func place(of frame: Int) -> (play: PlayID, frame: Int)? {
    stretches.last { $0.start <= frame && $0.start < end }.map { ($0.play, $0.trackFrame + frame - $0.start) }
  }

  /// The next frame after this one at which a track begins or ends, or all sound does; nil if none is known. The end of the stream is returned even if
  /// `frame` is past it.
  func change(after frame: Int) -> Int? {
    if let next = stretches.first(where: { $0.start > frame }) { return next.start }
    switch ending {
    case .open: return nil
    case .nextStream(let end), .silence(_, let end): return end
    }
  }
}
