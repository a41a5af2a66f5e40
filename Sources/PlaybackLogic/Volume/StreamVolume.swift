// SPDX-License-Identifier: MIT

/// The stream's volume. The user's choice and what the server is to be told are two numbers while something ducks it; what the
/// server answers is a third, which may be an echo, a memory of another player, or a person's hand on a mixer.
///
/// A value; its volumes are fractions of the full one on a slider's scale. Who owns it says when an order goes to the server and
/// when that is answered, and takes a `mark` before each reading.
package struct StreamVolume: Sendable {
  /// What a reading that has come is good for.
  package enum Finding: Sendable, Equatable {
    /// The stream is as loud as was told.
    case asTold
    /// A person moved it elsewhere: that is how loud it is to be, and the ducking is over.
    case moved
    /// The server gave a new stream what another player had: it has to be told ours.
    case foreign
    /// An order was under way with it, so it may show what was before. Read anew if `again`; otherwise `ordered` will say when.
    case doubtful(again: Bool)
  }

  // Servers keep a volume as one of 65,536 steps.
  private static let step = 0.001
  /// For how long a new stream's volume may be what the server remembers of another player.
  private static let settling = Duration.seconds(1)

  /// What the user has chosen, and what outward faces show.
  package private(set) var user: Double
  /// What is left of it while ducked; nil while not.
  package private(set) var level: Double?
  /// Until then what the server says is its memory, and not a person's hand.
  private var settled = Duration.zero
  private var ordersMade = 0
  private var ordersUnderWay = 0
  private var wasPassedOver = false

  /// What the user has chosen, not ducked.
  package init(user: Double) {
    self.user = user
  }

  /// What the server is to be told.
  package var stream: Double { user * (level ?? 1) }

  /// Whether nothing is heard at it.
  package var isSilent: Bool { Self.isNothing(stream) }

  /// Whether this fraction is none, for a server's steps.
  static func isNothing(_ fraction: Double) -> Bool { fraction < step }

  // MARK: Wishes

  /// Begins to duck, or does it to another level.
  package mutating func duck(to level: Double) { self.level = level }

  /// Ends it.
  package mutating func unduck() { level = nil }

  /// The user chose another volume here: it counts ducked as well.
  package mutating func choose(_ volume: Double) { user = volume }

  /// The user wants it louder by this fraction of the full one, or quieter where that is below zero. It goes from whole percent to
  /// whole percent, so that steps up and down again come back to where they began; a step of less than one percent, by thousandths.
  package mutating func change(by difference: Double) {
    let steps = abs(difference) < 0.01 ? 1_000.0 : 100
    choose(min(max(0, (user * steps).rounded() + (difference * steps).rounded()), steps) / steps)
  }

  // MARK: Orders

  /// An order goes to the server.
  package mutating func order() {
    ordersMade += 1
    ordersUnderWay += 1
  }

  /// The server has answered it, or will not. True where a reading was passed over, and is to be taken anew now.
  package mutating func ordered() -> Bool {
    ordersUnderWay -= 1
    return takePassedOver()
  }

  // MARK: Readings

  /// What a reading that begins now is held against when it has come; nil where it is of no use already.
  package var mark: Int? { ordersUnderWay == 0 ? ordersMade : nil }

  /// A new stream has been made with our volume. Session managers then give it the one that some player of music had last.
  package mutating func streamMade(at now: Duration) { settled = now + Self.settling }

  /// The server said, to a question that was asked at `mark`, that the stream has this volume.
  package mutating func observe(_ volume: Double, _ mark: Int?, at now: Duration) -> Finding {
    guard mark == ordersMade else {
      wasPassedOver = true
      return .doubtful(again: takePassedOver())
    }
    if abs(volume - stream) <= Self.step { return .asTold }
    if now < settled { return .foreign }
    user = volume
    level = nil
    return .moved
  }

  private mutating func takePassedOver() -> Bool {
    guard ordersUnderWay == 0, wasPassedOver else { return false }
    wasPassedOver = false
    return true
  }
}
