// SPDX-License-Identifier: MIT
import AudioModel

/// Decides what to report of the listener's progress. A value: it is asked for its next step whenever something may have changed,
/// until it has nothing more to say. Each time that an entry is played is a *playing*, with a number of its own.
struct Listener: Equatable {
  /// What to report or do.
  enum Step: Equatable {
    /// The first frame of this playing is heard now.
    case heard(PlayID)
    /// The last frame of this playing was heard. The next step says what comes then.
    case left(PlayID)
    /// All of this stream was heard: the next one begins.
    case nextStream
    /// The last frame was heard, and nothing follows. It belongs to this playing.
    case ended(PlayID)
    /// Nothing until this many more frames have been heard.
    case wait(frames: Int)
  }

  /// The playing that is heard, or was heard last; nil before the first.
  private(set) var play: PlayID?
  /// Whether `left` was returned for `play`.
  private var hasLeft = false

  /// What to do when `frame` is heard; nil if there is nothing to do until the table changes.
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

/// Which playing each frame of a stream belongs to. A value, made anew from what went into the stream.
struct SoundTable: Equatable {
  /// A run of frames that belong to one playing: those from `start` on, up to the next stretch.
  struct Stretch: Equatable {
    let play: PlayID
    /// The frame of the stream at which the stretch begins.
    let start: Int
    /// The frame of the track that is at `start`.
    let trackFrame: Int
  }

  /// What comes after the frames that were written.
  enum Ending: Equatable {
    /// More frames of this stream, or something that is not known yet.
    case open
    /// A stream of another format begins when frame `at` has been reached.
    case nextStream(at: Int)
    /// Nothing: at frame `at` this playing is over, and with it all sound.
    case silence(after: PlayID, at: Int)
  }

  /// The stretches in the stream's order.
  let stretches: [Stretch]
  /// How many frames were written so far.
  var end = Int.max
  let ending: Ending

  /// The playing that a frame belongs to, and which frame of its track it is; nil before the first stretch. A stretch of which no
  /// frame is written does not count, since perhaps none ever will be.
  func place(of frame: Int) -> (play: PlayID, frame: Int)? {
    stretches.last { $0.start <= frame && $0.start < end }.map { ($0.play, $0.trackFrame + frame - $0.start) }
  }

  /// The next frame at which something changes; nil if no change is known. The end is returned even if the frame is behind it.
  func change(after frame: Int) -> Int? {
    if let next = stretches.first(where: { $0.start > frame }) { return next.start }
    switch ending {
    case .open: return nil
    case .nextStream(let end), .silence(_, let end): return end
    }
  }
}
