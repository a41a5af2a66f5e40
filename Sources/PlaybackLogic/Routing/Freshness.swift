// SPDX-License-Identifier: MIT
import AudioModel

/// Remembers which sinks and ports appeared within the last two seconds. When the server moves the sound by itself, it
/// moves it to one of these. A move to any other place is mostly somebody's choice.
struct Freshness: Sendable {
  static let lifetime = Duration.seconds(2)

  private struct PortKey: Hashable {
    let card: Card.Index?
    let sink: Sink.Index?
    let name: String
  }

  private var sinks: [Sink.Index: Duration] = [:]
  private var ports: [PortKey: Duration] = [:]

  /// Notes which sinks and ports appeared between two readings, and forgets those that are no longer fresh. A port
  /// appears when its availability was `no` and no longer is.
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

  func hasPort(of place: Place, at now: Duration) -> Bool {
    guard let port = place.port else { return false }
    return isAlive(
      ports[PortKey(card: place.card, sink: place.card == nil ? place.sink : nil, name: port.name)], now)
  }

  func hasSink(of place: Place, at now: Duration) -> Bool { isAlive(sinks[place.sink], now) }

  private func isAlive(_ since: Duration?, _ now: Duration) -> Bool {
    since.map { $0 + Self.lifetime >= now } ?? false
  }

  /// The availability of every port. A card lists its ports in every profile, so its list overrides those of its sinks.
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
