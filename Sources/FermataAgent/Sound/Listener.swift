// SPDX-License-Identifier: MIT

/// Decides what to report of the listener's progress. A value: it is asked for its next step whenever something may have changed,
/// until it has nothing more to say.
struct Listener: Equatable {
  /// What to report or do.
  enum Step: Equatable {
    /// The first frame of this playing is heard now.
    case heard(UInt64)
    /// The last frame of this playing was heard. The next step says what comes then.
    case left(UInt64)
    /// All of this stream was heard: the next one begins.
    case nextStream
    /// The last frame of all was heard. It belongs to this playing.
    case ended(UInt64)
    /// Nothing until this many more frames have been heard.
    case wait(frames: Int)
  }

  /// The playing that is heard, or was last.
  private(set) var play: UInt64?
  /// Whether `left` was returned for this playing.
  private var hasLeft = false

  /// What to do when `frame` is heard; nil if nothing can change before something new happens.
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

  private mutating func arrive(_ heard: UInt64) -> Step {
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
