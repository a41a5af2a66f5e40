// SPDX-License-Identifier: MIT

/// What a new reading means for our sound, compared with the last standing.
///
/// This is a pure comparison, without time or memory. The classifier decides when to believe it.
enum Verdict: Sendable, Equatable {
  /// Nothing that concerns us, or nothing that has not been reported already.
  case quiet
  /// The route changed, but no device was lost.
  case changed(RouteChange.Reason)
  /// The listener's device is gone.
  case lost
  /// No output is left. `lost` is true if the place in use was lost with it, and that has not been reported yet.
  case noOutput(lost: Bool)
  /// Our stream is linked to nothing, and it is not known yet what that means.
  case unlinked
  /// The sink is gone but its card is still there. The card may make a sink for another profile within this time.
  case mayReturn(within: Duration)

  /// Whether sound let through now might be heard by the wrong people.
  var isDangerous: Bool {
    switch self {
    case .lost, .noOutput, .mayReturn: true
    case .quiet, .changed, .unlinked: false
    }
  }

  /// Turns `override` and `routeConfigurationChange` into `lost` if the device was seen gone in this episode. The sound
  /// then left a device that was gone, so nobody chose its new route, even if the device is back by now.
  func afterAll(hasSeenLoss: Bool) -> Verdict {
    hasSeenLoss && (self == .changed(.override) || self == .changed(.routeConfigurationChange)) ? .lost : self
  }
}
