// SPDX-License-Identifier: MIT

/// Which playing a stream's frames belong to: a value, made anew from what went into the stream.
struct SoundTable: Equatable {
  /// The frames from `start` on, up to the next stretch, are a playing's from its frame `trackFrame` on.
  struct Stretch: Equatable {
    let play: UInt64
    /// The first frame in the stream.
    let start: Int
    /// Which frame of the track that is.
    let trackFrame: Int
  }

  /// What comes behind the frames that are there.
  enum Ending: Equatable {
    /// More of the same, as far as anybody knows.
    case open
    /// A stream of another format begins when frame `at` has been reached.
    case nextStream(at: Int)
    /// Nothing: with frame `at` this playing is over, and with it the sound.
    case silence(after: UInt64, at: Int)
  }

  /// In the stream's order.
  let stretches: [Stretch]
  /// How many frames were written so far.
  var end = Int.max
  let ending: Ending

  /// The playing that a frame belongs to, and which frame of its track it is; nil before the first. One of which no frame was written
  /// has none, and may never have any.
  func place(of frame: Int) -> (play: UInt64, frame: Int)? {
    stretches.last { $0.start <= frame && $0.start < end }.map { ($0.play, $0.trackFrame + frame - $0.start) }
  }

  /// Where something changes next behind a frame.
  func change(after frame: Int) -> Int? {
    if let next = stretches.first(where: { $0.start > frame }) { return next.start }
    switch ending {
    case .open: return nil
    case .nextStream(let end), .silence(_, let end): return end
    }
  }
}
