// SPDX-License-Identifier: MIT
import AudioModel

/// Compares a reading with the last standing and yields a verdict. It remembers nothing.
struct Comparison {
  static let profileSwitch = Duration.seconds(1)

  let old: Standing
  let reading: Reading
  let fresh: Freshness
  /// When the episode began. What was fresh at that time still counts as fresh.
  let began: Duration
  /// How long the sink has been gone while its card stays.
  let waited: Duration

  func verdict() -> Verdict {
    let landing = Landing(reading)
    guard let place = old.place else { return afterNothing(landing) }
    let fate = Fate(of: place, in: reading.world)
    if old.isLost { return afterLoss(of: place, fate, landing) }
    switch fate {
    case .removed: return lost(landing)
    case .unplugged: return sharesJack(landing, with: place) ? .changed(.newDeviceAvailable) : lost(landing)
    case .withdrawn: return afterWithdrawal(of: place, landing)
    case .intact, .silenced: return elsewhere(than: place, fate, landing)
    }
  }

  private func lost(_ landing: Landing) -> Verdict { landing == .noOutput ? .noOutput(lost: true) : .lost }

  private func afterNothing(_ landing: Landing) -> Verdict {
    switch landing {
    case .at: .changed(.newDeviceAvailable)
    case .noOutput: .quiet
    case .unlinked: .unlinked
    }
  }

  /// The verdict after a loss that was reported. Consequences of the loss are not reported: a second port switch, a
  /// move, or the sink that goes after its port. Reported are only the return of the device, something else that was
  /// plugged in since, and the end of all outputs.
  private func afterLoss(of place: Place, _ fate: Fate, _ landing: Landing) -> Verdict {
    switch landing {
    case .unlinked: return .unlinked
    case .noOutput: return .noOutput(lost: false)
    case .at(let new):
      let isBack = new.isSame(as: place) && fate == .intact
      // Another profile of the same card makes a new sink too. There, only a port that has just been plugged in is
      // worth a report.
      let isNew = hasFreshPort(new) || (new.card != place.card && hasFreshSink(new))
      return isBack || (isNew && new.isExternal && !new.isUnplugged) ? .changed(.newDeviceAvailable) : .quiet
    }
  }

  /// Whether the sound went to another port of the same jack. One jack can serve several ports, and says "no" for those
  /// that turn out not to match what is plugged in, so that is no loss. A speaker that the jack mutes may be in the
  /// same group, but nobody plugs that in.
  private func sharesJack(_ landing: Landing, with place: Place) -> Bool {
    guard let new = landing.place, new.card == place.card, new.isExternal, !new.isUnplugged
    else { return false }
    guard let group = place.port?.availabilityGroup, !group.isEmpty else { return false }
    return group == new.port?.availabilityGroup && hasFreshPort(new)
  }

  private func afterWithdrawal(of place: Place, _ landing: Landing) -> Verdict {
    if let new = landing.place, new.card == place.card {
      if place.isBluetooth || new.port?.name == place.port?.name { return .changed(.categoryChange) }
      return .changed(new.isExternal && hasFreshPort(new) ? .newDeviceAvailable : .override)
    }
    let patience = patience(for: place, landing)
    if waited < patience { return .mayReturn(within: patience) }
    if place.isExternal { return lost(landing) }
    switch landing {
    case .at: return .changed(.override)
    case .noOutput: return .noOutput(lost: true)
    case .unlinked: return .unlinked
    }
  }

  private func patience(for place: Place, _ landing: Landing) -> Duration {
    let card = place.card.flatMap(reading.world.card)
    guard place.isBluetooth || card?.activeProfile != "off" else { return .zero }
    // A session manager that links the stream only after players have paused needs another second for that.
    let isBack = reading.world.sinks.contains { $0.card == place.card }
    return landing == .unlinked && isBack ? Self.profileSwitch * 2 : Self.profileSwitch
  }

  private func elsewhere(than place: Place, _ fate: Fate, _ landing: Landing) -> Verdict {
    switch landing {
    case .unlinked: return .unlinked
    case .noOutput: return .noOutput(lost: true)
    case .at(let new):
      if new.isSame(as: place) { return .quiet }
      let isNew =
        new.sink == place.sink ? hasFreshPort(new) && new.isExternal : hasFreshPort(new) || hasFreshSink(new)
      if isNew { return .changed(.newDeviceAvailable) }
      // If our stream is another one now, or there is none, nothing was moved: the server places a new stream where it
      // likes, and without a stream the default sink counts.
      if reading.ownInput != old.stream, new.sink != place.sink { return .quiet }
      return .changed(fate == .silenced && !new.isExternal ? .routeConfigurationChange : .override)
    }
  }

  private func hasFreshPort(_ place: Place) -> Bool { fresh.hasPort(of: place, at: began) }

  private func hasFreshSink(_ place: Place) -> Bool { fresh.hasSink(of: place, at: began) }
}
