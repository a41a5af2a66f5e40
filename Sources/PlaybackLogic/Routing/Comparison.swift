// SPDX-License-Identifier: MIT
import AudioModel

/// Compares a reading of the sound server with where our sound went at the last decision (`Settled`), and tells what that means for our sound. It
/// remembers nothing.
struct Comparison {
  static let profileSwitch = Duration.seconds(1)
  /// How long PipeWire's session manager may take from its end to its next start, until it has made all devices anew.
  static let managerRestart = Duration.seconds(5)

  let old: Settled
  let reading: Reading
  let recent: RecentArrivals
  /// When the first sign of the present change came. Sinks and ports that had appeared recently at that time still count as new.
  let began: Duration
  /// How long the sink of our sound has been gone while it may still come back; zero if that is not so.
  let waited: Duration
  /// Whether all built-in cards went together, which nobody can pull out: PipeWire's session manager has ended, and is perhaps being restarted.
  var isWithoutManager = false

  func verdict() -> Verdict {
    let destination = Destination(reading)
    guard let place = old.place else { return afterNothing(destination) }
    let condition = Condition(of: place, in: reading.world)
    if old.isLost { return afterLoss(of: place, condition, destination) }
    switch condition {
    case .removed: return isWithoutManager ? afterManager(of: place, destination) : lost(destination)
    case .unplugged:
      return sharesJack(destination, with: place) ? .changed(.newDeviceAvailable) : lost(destination)
    case .withdrawn: return afterWithdrawal(of: place, destination)
    case .intact, .silenced:
      return hasLostFilter(before: place, destination)
        ? .lost : elsewhere(than: place, condition, destination)
    }
  }

  /// Whether our stream played to a filter before the listener's device, that filter is gone, and our sound is now heard at another device.
  private func hasLostFilter(before place: SinkPort, _ destination: Destination) -> Bool {
    guard place.isExternal, let new = destination.place, !new.isSame(as: place) else { return false }
    return reading.world.sink(place.entrance) == nil
  }

  private func lost(_ destination: Destination) -> Verdict {
    destination == .noOutput ? .noOutput(lost: true) : .lost
  }

  /// The verdict while the session manager's devices are gone, and when some are there again. They have other index numbers then.
  private func afterManager(of place: SinkPort, _ destination: Destination) -> Verdict {
    if let new = destination.place, new.route.device == place.route.device, !new.isUnplugged { return .quiet }
    return waited < Self.managerRestart ? .mayReturn(within: Self.managerRestart) : lost(destination)
  }

  private func afterNothing(_ destination: Destination) -> Verdict {
    switch destination {
    case .at: .changed(.newDeviceAvailable)
    case .noOutput: .quiet
    case .unlinked: .unlinked
    }
  }

  /// The verdict on a reading after the loss of the device was reported. Consequences of the loss are not reported again: a second port switch, a
  /// move, or the sink that goes after its port. Only three things are reported: the device comes back, another device is plugged in, or no output is
  /// left.
  private func afterLoss(of place: SinkPort, _ condition: Condition, _ destination: Destination) -> Verdict {
    switch destination {
    case .unlinked: return .unlinked
    case .noOutput: return .noOutput(lost: false)
    case .at(let new):
      let isBack = new.isSame(as: place) && condition == .intact
      // Another profile of the same card makes a new sink too. There, only a port that has just been plugged in is
      // worth a report.
      let isNew = hasNewPort(new) || (new.card != place.card && hasNewSink(new))
      return isBack || (isNew && new.isExternal && !new.isUnplugged) ? .changed(.newDeviceAvailable) : .quiet
    }
  }

  /// Whether the sound went to another port of the same jack. One jack can serve several ports, and says "no" for those
  /// that turn out not to match what is plugged in, so that is no loss. A speaker that the jack mutes may be in the
  /// same group, but nobody plugs that in.
  private func sharesJack(_ destination: Destination, with place: SinkPort) -> Bool {
    guard let new = destination.place, new.card == place.card, new.isExternal, !new.isUnplugged
    else { return false }
    guard let group = place.port?.availabilityGroup, !group.isEmpty else { return false }
    return group == new.port?.availabilityGroup && hasNewPort(new)
  }

  private func afterWithdrawal(of place: SinkPort, _ destination: Destination) -> Verdict {
    if let new = destination.place, new.card == place.card {
      if place.isBluetooth || new.port?.name == place.port?.name { return .changed(.categoryChange) }
      return .changed(new.isExternal && hasNewPort(new) ? .newDeviceAvailable : .override)
    }
    let patience = patience(for: place, destination)
    if waited < patience { return .mayReturn(within: patience) }
    if place.isExternal { return lost(destination) }
    switch destination {
    case .at: return .changed(.override)
    case .noOutput: return .noOutput(lost: true)
    case .unlinked: return .unlinked
    }
  }

  private func patience(for place: SinkPort, _ destination: Destination) -> Duration {
    let card = place.card.flatMap(reading.world.card)
    guard place.isBluetooth || card?.activeProfile != "off" else { return .zero }
    // A session manager that links the stream only after it has paused players needs one more second for that.
    let isBack = reading.world.sinks.contains { $0.card == place.card }
    return destination == .unlinked && isBack ? Self.profileSwitch * 2 : Self.profileSwitch
  }

  private func elsewhere(than place: SinkPort, _ condition: Condition, _ destination: Destination) -> Verdict
  {
    switch destination {
    case .unlinked: return .unlinked
    case .noOutput: return .noOutput(lost: true)
    case .at(let new):
      if new.isSame(as: place) { return .quiet }
      let isNew =
        new.sink == place.sink ? hasNewPort(new) && new.isExternal : hasNewPort(new) || hasNewSink(new)
      if isNew { return .changed(.newDeviceAvailable) }
      // If our stream is another one now, or there is none, nothing was moved: the server places a new stream where it
      // likes, and without a stream the default sink counts. But the listener may have moved it just before it ended.
      let isChosen =
        reading.ownInput == nil && reading.chosenSink.map(new.route.leads(overSinkNamed:)) == true
      if reading.ownInput != old.stream, new.sink != place.sink, !isChosen { return .quiet }
      return .changed(condition == .silenced && !new.isExternal ? .routeConfigurationChange : .override)
    }
  }

  private func hasNewPort(_ place: SinkPort) -> Bool { recent.hasPort(of: place, at: began) }

  private func hasNewSink(_ place: SinkPort) -> Bool { recent.hasSink(of: place, at: began) }
}

extension AudioWorld {
  /// Whether all built-in cards have gone since an earlier reading. On PipeWire the session manager makes them, so it has ended.
  func hasLostManager(since earlier: AudioWorld) -> Bool {
    server.kind == .pipeWire && earlier.cards.contains(where: \.isBuiltIn)
      && !cards.contains(where: \.isBuiltIn)
  }
}

/// What a new reading means for our sound, compared with the last decision (`Settled`).
///
/// This is a pure comparison, without time or memory. The route classifier decides when to believe it.
enum Verdict: Sendable, Equatable {
  /// Nothing changed that concerns our sound, or the change has been reported already.
  case quiet
  /// The route changed, but no device was lost.
  case changed(RouteChange.Reason)
  /// The listener's device is gone, and that has not been reported yet.
  case lost
  /// No output is left. `lost` is true if the device in use was lost with it, and that has not been reported yet.
  case noOutput(lost: Bool)
  /// Our stream is linked to nothing, and it is not known yet what that means.
  case unlinked
  /// The sink of our sound is gone, and may be there again within this time: its card is still there and may make one for another profile, or all
  /// devices are about to be made anew.
  case mayReturn(within: Duration)

  /// Whether the wrong people might hear the sound if it went on now.
  var isDangerous: Bool {
    switch self {
    case .lost, .noOutput, .mayReturn: true
    case .quiet, .changed, .unlinked: false
    }
  }

  /// Turns `override` and `routeConfigurationChange` into `lost` if a reading since the first sign of the change showed that the device was gone.
  /// Nobody chose the new route then: the sound had to leave. That is so even if the device is back by now.
  func corrected(hasSeenLoss: Bool) -> Verdict {
    hasSeenLoss && (self == .changed(.override) || self == .changed(.routeConfigurationChange)) ? .lost : self
  }
}

/// Where our sound went when that was last decided. New readings of the sound server are compared with it.
struct Settled: Sendable, Equatable {
  /// The sink and port; nil if there was no output at all.
  var place: SinkPort?
  /// Our stream at that time; nil if there was none.
  var stream: SinkInput.Index?
  /// Whether the loss of `place` was reported, or its port was already unplugged at the time of the decision. Later changes that only follow from the
  /// loss are not reported.
  var isLost: Bool

  init(place: SinkPort?, stream: SinkInput.Index?, isLost: Bool? = nil) {
    self.place = place
    self.stream = stream
    self.isLost = isLost ?? place?.isUnplugged ?? false
  }
}

/// What has become of the sink and port that our sound went to.
enum Condition: Sendable, Equatable {
  /// The sink is there, and the port is not unplugged.
  case intact
  /// The port is a built-in speaker, muted because something was plugged into a jack. This is never a loss.
  case silenced
  /// The port is external, and nothing is plugged in any more.
  case unplugged
  /// The sink is gone but its card is still there. The card's profile has changed, so the device may come back as another sink.
  case withdrawn
  /// The sink is gone, and so is its card if it had one.
  case removed

  init(of place: SinkPort, in world: AudioWorld) {
    let sink = world.sink(place.sink)
    let card = place.card.flatMap(world.card)
    guard sink != nil || card != nil else {
      self = .removed
      return
    }
    // The availability of a Bluetooth card's ports depends on the profile, so during a change of profile it tells nothing.
    let isChangingProfile = sink == nil && place.isBluetooth
    let port = (sink?.ports ?? card?.ports)?.first { $0.name == place.port?.name }
    // Without its sink, a speaker is not muted but out of use: plugging something in has changed the profile, and another sink may follow.
    if port?.availability == .no, !isChangingProfile, place.isExternal || sink != nil {
      self = place.isExternal ? .unplugged : .silenced
    } else {
      self = sink == nil ? .withdrawn : .intact
    }
  }
}

/// Remembers which sinks and ports appeared within the last two seconds. When the server moves the sound by itself, it
/// moves it to one of these. A move to any other place is mostly somebody's choice.
struct RecentArrivals: Sendable {
  static let lifetime = Duration.seconds(2)

  private struct PortKey: Hashable {
    let card: Card.Index?
    let sink: Sink.Index?
    let name: String
  }

  private var sinks: [Sink.Index: Duration] = [:]
  private var ports: [PortKey: Duration] = [:]

  /// Notes which sinks and ports appeared between two readings of the sound server, and forgets those that appeared too long ago.
  /// A port appears when its availability was `no` and no longer is.
  mutating func note(from old: AudioWorld, to new: AudioWorld, at now: Duration) {
    sinks = sinks.filter { $0.value + Self.lifetime >= now }
    ports = ports.filter { $0.value + Self.lifetime >= now }
    let known = Set(old.sinks.map(\.index))
    for sink in new.sinks where !known.contains(sink.index) { sinks[sink.index] = now }
    let before = Self.availabilities(in: old)
    for (key, availability) in Self.availabilities(in: new) {
      if availability == .no { ports[key] = nil } else if before[key] == .no { ports[key] = now }
    }
  }

  func hasPort(of place: SinkPort, at now: Duration) -> Bool {
    guard let port = place.port else { return false }
    return isAlive(
      ports[PortKey(card: place.card, sink: place.card == nil ? place.sink : nil, name: port.name)], now)
  }

  func hasSink(of place: SinkPort, at now: Duration) -> Bool { isAlive(sinks[place.sink], now) }

  private func isAlive(_ since: Duration?, _ now: Duration) -> Bool {
    since.map { $0 + Self.lifetime >= now } ?? false
  }

  /// Whether something is plugged into each port, as far as the server knows. A card lists its ports in every profile, so its list overrides those of
  /// its sinks.
  private static func availabilities(in world: AudioWorld) -> [PortKey: Port.Availability] {
    var all: [PortKey: Port.Availability] = [:]
    for sink in world.sinks {
      for port in sink.ports {
        all[PortKey(card: sink.card, sink: sink.card == nil ? sink.index : nil, name: port.name)] =
          port.availability
      }
    }
    for card in world.cards {
      for port in card.ports {
        all[PortKey(card: card.index, sink: nil, name: port.name)] = port.availability
      }
    }
    return all
  }
}
