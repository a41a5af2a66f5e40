// SPDX-License-Identifier: MIT

/// The sound goes another way than before, or nowhere, and this is why.
package struct RouteChange: Sendable, Hashable {
  /// Why the sound goes another way. The texts are those of the bus.
  package enum Reason: String, Sendable, CaseIterable {
    /// It went to something that had just been plugged in, paired or made.
    case newDeviceAvailable
    /// What it went to is gone. The only reason, with `noSuitableRouteForCategory`, for which playback pauses.
    case oldDeviceUnavailable
    /// The same device under another profile, as when a headset turns to its microphone.
    case categoryChange
    /// Somebody chose another way.
    case override
    /// The machine woke up; the way is the same until something else is said.
    case wakeFromSleep
    /// Nothing is left that anyone could hear.
    case noSuitableRouteForCategory
    /// The hardware turned from one built-in output to another.
    case routeConfigurationChange
    /// The sound server is gone.
    case mediaServicesWereLost
    /// The sound server is back.
    case mediaServicesWereReset
    /// The first way that is known: nothing was before it.
    case unknown
  }

  /// Why.
  package var reason: Reason
  /// The way before; nil where there was none that anyone could hear.
  package var previous: Route?
  /// The way now; nil where there is none, or none yet.
  package var current: Route?
  /// Whether playback has to pause: the listener is not where the sound would go.
  package var pauses: Bool

  /// A change with these properties.
  package init(_ reason: Reason, from previous: Route?, to current: Route?, pauses: Bool = false) {
    self.reason = reason
    self.previous = previous
    self.current = current
    self.pauses = pauses
  }
}
