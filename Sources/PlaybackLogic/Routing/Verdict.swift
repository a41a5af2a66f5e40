// SPDX-License-Identifier: MIT

/// What a new reading says about our sound, compared with what was settled last.
///
/// A pure comparison: no time passes in it, and it remembers nothing. When to believe it is the classifier's business.
enum Verdict: Sendable, Equatable {
  /// Nothing that concerns us, or nothing that has not been told.
  case quiet
  /// Another way, and nobody is hurt by it.
  case changed(RouteChange.Reason)
  /// The listener's device is gone.
  case lost
  /// Nothing is left to play on; `lost` where a device was lost with it.
  case noOutput(lost: Bool)
  /// Our stream is linked to nothing, and nothing tells yet what that means.
  case unlinked
  /// The sink is gone and its card is not: it may come back under another profile within this time.
  case mayReturn(within: Duration)

  /// Whether sound let through now might be heard by the wrong people.
  var isDangerous: Bool {
    switch self {
    case .lost, .noOutput, .mayReturn: true
    case .quiet, .changed, .unlinked: false
    }
  }

  /// Nobody chose the way that the sound took from a device that was seen gone, even if that is there again.
  func afterAll(hasSeenLoss: Bool) -> Verdict {
    hasSeenLoss && (self == .changed(.override) || self == .changed(.routeConfigurationChange)) ? .lost : self
  }
}
