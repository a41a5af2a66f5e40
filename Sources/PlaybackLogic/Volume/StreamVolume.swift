// SPDX-License-Identifier: MIT
package import AudioModel

/// The volume of our stream on the sound server. Three numbers have to be kept apart: what the user chose, what the server is to
/// be told (less than the choice while ducked), and what the server reports. A report may be an echo of our order, a volume that
/// the server remembers from another player, or a change that a person made in a mixer.
///
/// This is a value. Volumes are fractions of the full volume on a slider's scale. The owner calls `order` when it sends a volume
/// to the server and `ordered` when that is answered. It takes a `mark` before each reading of the server's volume and passes it
/// to `observe` with the result.
package struct StreamVolume: Sendable {
  /// What it means that the server reports a certain volume of our stream.
  package enum Finding: Sendable, Equatable {
    /// The stream has the volume that we ordered. Its balance may be new: then it is kept.
    case asTold
    /// A person changed the volume in a mixer. It is now the user's choice, and ducking is over.
    case moved
    /// The server gave a new stream the volume of another player. The owner has to order ours again.
    case foreign
    /// The reading may be outdated, because an order was under way at the same time. If `again` is true, read the volume again
    /// now; otherwise `ordered` returns true when it is time for that.
    case doubtful(again: Bool)
  }

  // Servers round a volume to one of 65,536 steps. Two volumes that differ by no more than this count as equal.
  private static let step = 0.001
  /// For this long after a new stream of ours is made, its volume may be one that the server remembers from another player.
  private static let settling = Duration.seconds(1)

  /// The volume that the user has chosen; this is the one that users and other programs are shown.
  package private(set) var user: Double
  /// How loud the channels are beside each other, as somebody set it in a mixer. The same goes for each volume that we order, so that a listener with
  /// a loudspeaker nearer than the other is not asked to set it again. Empty until somebody does.
  private var balance: [Double] = []
  /// The fraction of `user` that is left while the music is ducked (quieter, because something else sounds); nil while it is not.
  package private(set) var level: Double?
  /// The fraction of the volume that the sleep timer's fade leaves; 1 while there is no fade.
  private var faded = 1.0
  /// Until this time, a volume that differs from ours is the server's remembered value, and not a person's choice.
  private var settled = Duration.zero
  private var ordersMade = 0
  private var ordersUnderWay = 0
  private var wasPassedOver = false

  /// The volume of a stream to come: this is the user's choice, and nothing lowers it.
  package init(user: Double) {
    self.user = user
  }

  /// The volume to order from the server: the user's choice, lowered while the music is ducked or fades.
  package var stream: Double { user * (level ?? 1) * faded }

  /// The same with the balance of the channels.
  package var balanced: BalancedVolume { BalancedVolume(stream, balance: balance) }

  /// Whether the music is to be quieter than the user's choice at present.
  var isLowered: Bool { level != nil || isFading }

  /// Whether the sleep timer's fade makes the volume lower at present.
  package var isFading: Bool { faded < 1 }

  /// Whether the volume that we ordered makes the stream inaudible, apart from a fade: a fade is no reason to report silence.
  package var isSilent: Bool { Self.isNothing(user * (level ?? 1)) }

  /// Whether this fraction counts as silence, at the precision to which volumes are compared.
  static func isNothing(_ fraction: Double) -> Bool { fraction < step }

  // MARK: Wishes

  /// Begins to duck (play more quietly, because something else sounds) to this fraction of the user's choice.
  package mutating func duck(to level: Double) { self.level = level }

  /// Changes the fraction if the music is ducked now. A duck that was ended by hand stays ended. Returns whether anything has changed.
  mutating func duckOn(to level: Double) -> Bool {
    guard let present = self.level, present != level else { return false }
    self.level = level
    return true
  }

  /// Ends ducking: the volume is the user's choice again.
  package mutating func unduck() { level = nil }

  /// For the sleep timer: lowers the volume to this fraction of what it would be without a fade; 1 ends the fade. Returns whether the fraction is
  /// new.
  package mutating func fade(to fraction: Double) -> Bool {
    defer { faded = fraction }
    return faded != fraction
  }

  /// Sets the volume that the user chose through us. Ducking goes on, relative to the new volume.
  package mutating func choose(_ volume: Double) { user = volume }

  /// Changes the user's choice by this fraction of the full volume, down if negative, within 0...1. A volume that a mixer has
  /// set higher than that can only be turned down. Steps of at least 1 % go from
  /// whole percent to whole percent, so that the same steps up and down again lead back to the start. Smaller steps go by
  /// thousandths.
  package mutating func change(by difference: Double) {
    let steps = abs(difference) < 0.01 ? 1_000.0 : 100
    let present = (user * steps).rounded()
    choose(min(max(0, present + (difference * steps).rounded()), max(steps, present)) / steps)
  }

  // MARK: Orders

  /// Call when the server is told to set our stream's volume.
  package mutating func order() {
    ordersMade += 1
    ordersUnderWay += 1
  }

  /// Call when the server has answered an order of a volume, or will not answer it. Returns true if a reading of the volume was
  /// ignored as outdated and has to be repeated now.
  package mutating func ordered() -> Bool {
    ordersUnderWay -= 1
    return takePassedOver()
  }

  // MARK: Readings

  /// Takes over the volume and the balance of our first stream as the user's choice.
  mutating func adopt(_ volume: Double, balance found: [Double]) { (user, balance) = (volume, found) }

  /// A mark to take when a reading of the server's volume begins, and to pass to `observe`. Nil while an order of a volume is
  /// under way: a reading then is of no use.
  package var mark: Int? { ordersUnderWay == 0 ? ordersMade : nil }

  /// Call when a new stream has been made with our volume. Session managers may then give it the volume that some other music
  /// player had last.
  package mutating func streamMade(at now: Duration) { settled = now + Self.settling }

  /// Judges a report of the server that our stream has this volume and balance. `mark` was taken when the server was asked.
  package mutating func observe(
    _ volume: Double, balance found: [Double] = [], _ mark: Int?, at now: Duration
  ) -> Finding {
    guard mark == ordersMade else {
      wasPassedOver = true
      return .doubtful(again: takePassedOver())
    }
    let isSameVolume = abs(volume - stream) <= Self.step
    let isSameBalance = hasBalance(found, at: volume)
    if !(isSameVolume && isSameBalance), now < settled { return .foreign }
    if !isSameBalance { balance = found }
    if isSameVolume { return .asTold }
    user = volume
    level = nil
    faded = 1
    return .moved
  }

  /// Whether the channels of our stream are as loud beside each other as we ordered. A stream with another number of channels than the balance was set
  /// for is ordered without it, and one that is turned down to nothing shows none.
  private func hasBalance(_ found: [Double], at volume: Double) -> Bool {
    let told = BalancedVolume(volume, balance: balance).channels(found.count)
    return zip(found, told).allSatisfy { abs($0 * volume - $1) <= Self.step }
  }

  private mutating func takePassedOver() -> Bool {
    guard ordersUnderWay == 0, wasPassedOver else { return false }
    wasPassedOver = false
    return true
  }
}

/// What is special about the output that our stream goes to, or would go to.
package struct OutputTraits: Sendable, Hashable {
  /// Whether the volume of a stream is that of the output, so that a louder stream turns the output up.
  package let hasFlatVolume: Bool
  /// Whether the output plays what it has been given, whatever comes after it. The server can take sound back from a card, and mix another stream into it;
  /// what was sent over a network or to a Bluetooth device is played.
  package let keepsWhatItHas: Bool

  /// Nothing special, which is so before any reading.
  package init() { (hasFlatVolume, keepsWhatItHas) = (false, false) }

  /// The traits of our stream's output; of the default one if there is no such stream.
  init(of world: AudioWorld, ownSink: Sink.Index?) {
    let sink = ownSink.flatMap(world.sink) ?? world.sink(named: world.server.defaultSink)
    hasFlatVolume = sink?.hasFlatVolume ?? false
    keepsWhatItHas = sink.map { $0.isRemote || $0.properties["device.bus"] == "bluetooth" } ?? false
  }
}

/// Whether the output that our stream goes to is muted or turned down to nothing, as last read.
package struct OutputLevel: Sendable, Hashable {
  package private(set) var isMuted = false
  /// Whether the output's volume is 0, or so low that it counts as 0.
  package private(set) var isSilent = false

  /// The level before any reading: neither muted nor silent.
  package init() {}

  /// Takes over a reading of the sound server. A filter that the sound passes, such as an equalizer, counts like the output behind it. Without a stream of ours, the output counts where one would go: the one that the user
  /// chose through us, or else the default one. If our stream is not linked to any output, it is being moved: until it arrives, the last level stays.
  package mutating func look(at world: AudioWorld, ownInput: SinkInput.Index?, chosenSink: String? = nil) {
    let reading = Reading(world: world, ownInput: ownInput, chosenSink: chosenSink)
    guard let path = reading.path else { return }
    isMuted = path.sinks.contains(where: \.isMuted)
    isSilent = path.sinks.contains { $0.volume.map(StreamVolume.isNothing) ?? false }
  }
}
