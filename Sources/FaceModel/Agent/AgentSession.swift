// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// `org.fermata.Session1`: what the agent shows of routes and interruptions.
package enum AgentSession {
  /// Every property, in the interface's order. Their changes are reported by the signals below.
  package static func properties(of face: PlayerFace) -> [(MemberName, WireValue)] {
    [
      ("Route", RouteFace.wireValue(of: face.route)),
      ("Interruptions", face.interruptions.map { WireText.clean($0.text) }.wireValue),
    ]
  }

  /// The signal that the sound goes to another output; `paused` says whether playback was paused because of that.
  package static func signal(_ change: RouteChange, paused: Bool) -> (MemberName, [WireValue]) {
    (
      "RouteChanged",
      [
        .string(change.reason.rawValue), RouteFace.wireValue(of: change.previous),
        RouteFace.wireValue(of: change.current), .boolean(paused),
      ]
    )
  }

  /// The signal for one of the session's outputs; nil for those that clients are not told of.
  package static func signal(_ output: SessionEffect) -> (MemberName, [WireValue])? {
    switch output {
    case .interruptionBegan(let source, let wasPlaying):
      ("InterruptionBegan", .arguments(WireText.clean(source.text), wasPlaying))
    case .interruptionEnded(let source, let shouldResume):
      ("InterruptionEnded", .arguments(WireText.clean(source.text), shouldResume))
    default: nil
    }
  }
}
