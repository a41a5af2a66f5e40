// SPDX-License-Identifier: MIT
import AudioModel

/// What happened to the place that our sound went to.
enum Fate: Sendable, Equatable {
  /// Its sink is there, and its port is not unplugged.
  case intact
  /// It is a built-in speaker that another jack has muted. This is never a loss.
  case silenced
  /// It is an external port with nothing plugged in any more.
  case unplugged
  /// Its sink is gone but its card is still there. The card's profile has changed, so the device may come back as
  /// another sink.
  case withdrawn
  /// Its sink is gone, and so is its card if it had one.
  case removed

  init(of place: Place, in world: AudioWorld) {
    let sink = world.sink(place.sink)
    let card = place.card.flatMap(world.card)
    guard sink != nil || card != nil else {
      self = .removed
      return
    }
    // The availability of a Bluetooth card's ports depends on the profile, so during a change of profile it tells nothing.
    let isChangingProfile = sink == nil && place.isBluetooth
    let port = (sink?.ports ?? card?.ports)?.first { $0.name == place.port?.name }
    if port?.availability == .no, !isChangingProfile {
      self = place.isExternal ? .unplugged : .silenced
    } else {
      self = sink == nil ? .withdrawn : .intact
    }
  }
}
