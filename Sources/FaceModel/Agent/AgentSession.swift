// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// `org.fermata.Session1`: where the sound goes, and what interrupts it.
package enum AgentSession {
  /// The interface.
  package static let description = InterfaceDescription(
    "org.fermata.Session1",
    signals: [routeChanged.description, interruptionBegan.description, interruptionEnded.description],
    properties: properties.descriptions)

  /// The properties. Their changes are reported by the signals.
  package static let properties = FaceProperties<PlayerFace>(
    of: "org.fermata.Session1",
    [
      .init("Route", changes: .silently) { RouteFace.fields(of: $0.route) },
      .init("Interruptions", changes: .silently) { $0.interruptions.map { WireText.clean($0.text) } },
    ])

  static let routeChanged = SignalRow<String, Fields, Fields, Bool>(
    "RouteChanged", "Reason", "Previous", "Current", "Paused")
  static let interruptionBegan = SignalRow<String, Bool>("InterruptionBegan", "Source", "WasPlaying")
  static let interruptionEnded = SignalRow<String, Bool>("InterruptionEnded", "Source", "ShouldResume")

  /// The signal that the sound goes to another output; `paused` says whether playback was paused because of that.
  package static func signal(_ change: RouteChange, paused: Bool) -> (MemberName, [WireValue]) {
    routeChanged(
      change.reason.rawValue, RouteFace.fields(of: change.previous), RouteFace.fields(of: change.current),
      paused)
  }

  /// The signal that an interruption began.
  package static func began(_ source: Interruption.Source, wasPlaying: Bool) -> (MemberName, [WireValue]) {
    interruptionBegan(WireText.clean(source.text), wasPlaying)
  }

  /// The signal that an interruption is over.
  package static func ended(_ source: Interruption.Source, shouldResume: Bool) -> (MemberName, [WireValue]) {
    interruptionEnded(WireText.clean(source.text), shouldResume)
  }
}
