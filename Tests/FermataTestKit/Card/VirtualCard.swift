// SPDX-License-Identifier: MIT
package import AudioModel

/// A sound card without hardware on a private server. Its jacks are the test's; what the server does about them is
/// the server's own, real reaction. It goes with its server, or with `remove()`. Any thread may call it.
///
/// The calls return when the server has been told, which may be before everyone has acted on it: wait for what is
/// expected with `SoundControl.wait`.
package protocol VirtualCard: Sendable {
  /// What it was made of.
  var layout: CardLayout { get }
  /// The test's hand on the server that it is plugged into.
  var control: SoundControl { get }

  /// Tells what is plugged in, by port, as one event of the jack. Throws when the card has no such port.
  func setAvailable(_ ports: [String: Port.Availability]) throws
  /// Pulls the card out, whole.
  func remove() throws
}

extension VirtualCard {
  /// Chooses a profile, as the user would, or the policy of a Bluetooth call.
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

  /// Waits until the server shows the card with the sink of its active profile.
  func waitUntilPlugged() throws {
    try control.wait(for: "the card \(layout.name)") { world in
      guard let card = world.cards.first(where: { $0.name == layout.name }) else { return false }
      let sink = layout.profiles.first { $0.name == card.activeProfile }?.sink
      return card.activeProfile != nil && sink.map { world.sink(named: $0) != nil } ?? true
    }
  }
}
