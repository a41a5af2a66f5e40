// SPDX-License-Identifier: MIT
package import AudioModel

/// A sound card without hardware on a private server. The test controls its jacks; the server's reaction to them is
/// real. It disappears with its server or with `remove()`. Any thread may call it.
///
/// The calls return when the server has been told. Others may not have reacted by then, so wait for the expected
/// result with `SoundControl.wait`.
package protocol VirtualCard: Sendable {
  /// The card's parts.
  var layout: CardLayout { get }
  /// Controls the server that it is plugged into.
  var control: SoundControl { get }

  /// Sets which ports have something plugged in, as one event of the jacks. Throws if the card has no such port.
  func setAvailable(_ ports: [String: Port.Availability]) throws
  /// Removes the whole card.
  func remove() throws
}

extension VirtualCard {
  /// Chooses a profile, as a user would, or the server's policy for a Bluetooth call.
  package func setProfile(_ name: String) throws { try control.setProfile(name, ofCard: layout.name) }

  /// Chooses the port of the active profile's sink, as the user would.
  package func setRoute(_ port: String) throws {
    guard let sink = try activeSink() else { throw KitError("\(layout.name) has no sink now") }
    try control.setPort(port, ofSink: sink)
  }

  private func activeSink() throws -> String? {
    let active = try control.cards().first { $0.name == layout.name }?.activeProfile
    return layout.profiles.first { $0.name == active }?.sink
  }

  /// Waits until the server lists the card and the sink of its active profile.
  func waitUntilPlugged() throws {
    try control.wait(for: "the card \(layout.name)") { world in
      guard let card = world.cards.first(where: { $0.name == layout.name }) else { return false }
      let sink = layout.profiles.first { $0.name == card.activeProfile }?.sink
      return card.activeProfile != nil && sink.map { world.sink(named: $0) != nil } ?? true
    }
  }
}
