// SPDX-License-Identifier: MIT

/// How far the listener is, and what there is to tell of that: a value that is asked whenever something may have changed, until
/// it has nothing more to say.
struct Listener: Equatable {
  /// What is to be told, or done.
  enum Step: Equatable {
    /// The first frame of this playing is heard now.
    case heard(UInt64)
    /// The last frame of this playing was heard. What comes is told next.
    case left(UInt64)
    /// All of this stream was heard: the next one begins.
    case nextStream
    /// The last frame of all was heard, of this playing.
    case ended(UInt64)
    /// Nothing before so many frames more.
    case wait(frames: Int)
  }

  /// The playing that is heard, or was last.
  private(set) var play: UInt64?
  /// Whether it was told that this one was left.
  private var hasLeft = false

  /// What to do when `frame` is heard; nil when only something new can bring a change.
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
