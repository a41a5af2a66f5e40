// SPDX-License-Identifier: MIT
import AudioModel

/// The comparison of a reading with what was settled last.
struct Comparison {
  static let profileSwitch = Duration.seconds(1)

  let old: Standing
  let reading: Reading
  let fresh: Freshness
  /// When what is looked at began: what was fresh then still counts.
  let began: Duration
  /// How long the sink has been away.
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

  /// A second port switch, a move, or the sink going after its port: all that has been told. News is only what is plugged
  /// in since, and the end of all outputs.
  private func afterLoss(of place: Place, _ fate: Fate, _ landing: Landing) -> Verdict {
    switch landing {
    case .unlinked: return .unlinked
    case .noOutput: return .noOutput(lost: false)
    case .at(let new):
      let isBack = new.isSame(as: place) && fate == .intact
      // The next profile of the same card is a new sink too; only what was plugged into it is news.
      let isNew = hasFreshPort(new) || (new.card != place.card && hasFreshSink(new))
      return isBack || (isNew && new.isExternal && !new.isUnplugged) ? .changed(.newDeviceAvailable) : .quiet
    }
  }

  /// One jack can answer for several ports, and says "no" for the ones that what is plugged in turned out not to be. A speaker that it
  /// mutes may be listed with them, but nobody plugs that in.
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
    // A session manager that holds back the link until players have paused takes a second of its own for that.
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
      // Another stream begins where the server puts it, and without one the default counts: nothing has moved.
      if reading.ownInput != old.stream, new.sink != place.sink { return .quiet }
      return .changed(fate == .silenced && !new.isExternal ? .routeConfigurationChange : .override)
    }
  }

  private func hasFreshPort(_ place: Place) -> Bool { fresh.hasPort(of: place, at: began) }

  private func hasFreshSink(_ place: Place) -> Bool { fresh.hasSink(of: place, at: began) }
}
