// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// `org.fermata.Session1`: where the sound goes, and what interrupts it.
package enum AgentSession {
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
  static let interruptionBegan = SignalRow<String, [String], Bool>(
    "InterruptionBegan", "Source", "Sources", "WasPlaying")
  static let interruptionEnded = SignalRow<String, [String], Bool, Bool>(
    "InterruptionEnded", "Source", "Sources", "ShouldResume", "Overruled")

  /// The signal that the sound goes to another output; `paused` says whether playback was paused because of that.
  package static func signal(_ change: RouteChange, paused: Bool) -> (MemberName, [WireValue]) {
    routeChanged(
      change.reason.rawValue, RouteFace.fields(of: change.previous), RouteFace.fields(of: change.current),
      paused)
  }

  /// The signal that an interruption began.
  package static func began(_ told: ToldInterruption) -> (MemberName, [WireValue]) {
    interruptionBegan(WireText.clean(told.source.text), texts(told.sources), told.wasPlaying)
  }

  /// The signal that an interruption has ended, or that the user plays in spite of it.
  package static func ended(_ told: ToldInterruption, _ end: InterruptionEnd) -> (MemberName, [WireValue]) {
    interruptionEnded(
      WireText.clean(told.source.text), texts(told.sources), end == .resumes, end == .overruled)
  }

  private static func texts(_ sources: [Interruption.Source]) -> [String] {
    sources.map { WireText.clean($0.text) }
  }
}
