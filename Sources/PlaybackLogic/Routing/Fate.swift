// SPDX-License-Identifier: MIT
import AudioModel

/// What became of the place that our sound went to.
enum Fate: Sendable, Equatable {
  /// It is there as before.
  case intact
  /// A built-in speaker that another jack has muted: never a loss.
  case silenced
  /// Its socket is empty.
  case unplugged
  /// Its sink is gone, its card is not: another profile, so it may come back in another shape.
  case withdrawn
  /// It is gone with its card.
  case removed

  init(of place: Place, in world: AudioWorld) {
    let sink = world.sink(place.sink)
    let card = place.card.flatMap(world.card)
    guard sink != nil || card != nil else {
      self = .removed
      return
    }
    // A Bluetooth card's ports follow its profiles, so while these change they tell nothing.
    let isChangingProfile = sink == nil && place.isBluetooth
    let port = (sink?.ports ?? card?.ports)?.first { $0.name == place.port?.name }
    if port?.availability == .no, !isChangingProfile {
      self = place.isExternal ? .unplugged : .silenced
    } else {
      self = sink == nil ? .withdrawn : .intact
    }
  }
}
