// SPDX-License-Identifier: MIT

/// The stream's volume, while something may have it ducked: the user's choice and what the server is to be told are two numbers.
///
/// A value; its volumes are fractions of the full one on a slider's scale.
public struct DuckedVolume: Sendable, Equatable {
  // Servers keep a volume as one of 65,536 steps.
  private static let step = 0.001
  /// For how long a new stream's volume may be what the server remembers of another player.
  private static let settling = Duration.seconds(1)

  /// What the user has chosen, and what outward faces show.
  public private(set) var user: Double
  /// What is left of it while ducked; nil while not.
  public private(set) var level: Double?
  /// What the server was told before and may still answer.
  private var stale: Double?
  /// Until then what the server says is its memory, and not a person's hand.
  private var settled = Duration.zero

  /// What the user has chosen, not ducked.
  public init(user: Double) {
    self.user = user
  }

  /// What the server is to be told.
  public var stream: Double { user * (level ?? 1) }

  /// Begins to duck, or does it to another level.
  public mutating func duck(to level: Double) { change { $0.level = level } }

  /// Ends it.
  public mutating func unduck() { change { $0.level = nil } }

  /// The user chose another volume here: it counts ducked as well.
  public mutating func choose(_ volume: Double) { change { $0.user = volume } }

  /// A new stream has been made with our volume. Session managers then give it the one that some player of music had last.
  public mutating func streamMade(at now: Duration) { settled = now + Self.settling }

  /// The server says that the stream has this volume. What we have not told it is the user's hand on a mixer: that is how
  /// loud it is to be now, so the ducking is over. True where it has to be told ours again.
  public mutating func observe(_ volume: Double, at now: Duration) -> Bool {
    if abs(volume - stream) <= Self.step {
      stale = nil
    } else if now < settled {
      return true
    } else if stale.map({ abs(volume - $0) <= Self.step }) != true {
      self = DuckedVolume(user: volume)
    }
    return false
  }

  private mutating func change(_ change: (inout DuckedVolume) -> Void) {
    let before = stream
    change(&self)
    if stream != before { stale = before }
  }
}
