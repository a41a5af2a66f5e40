// SPDX-License-Identifier: MIT

/// A change of the route, and the reason for it.
package struct RouteChange: Sendable, Hashable {
  /// Why the route changed. The raw values are the names on D-Bus.
  package enum Reason: String, Sendable, CaseIterable {
    /// The sound went to something that had just been plugged in, paired or made, or to a device that came back.
    case newDeviceAvailable
    /// The device that the sound went to is gone. This and `noSuitableRouteForCategory` are the only reasons for which
    /// playback pauses, besides a `mediaServicesWereReset` without the old device.
    case oldDeviceUnavailable
    /// The same device with another profile, for example a headset that switches its microphone on.
    case categoryChange
    /// Somebody chose another route.
    case override
    /// The machine woke up. The route is the same until another change is reported.
    case wakeFromSleep
    /// There is no output left that anyone could hear.
    case noSuitableRouteForCategory
    /// The hardware switched from one built-in output to another.
    case routeConfigurationChange
    /// The sound server is gone.
    case mediaServicesWereLost
    /// The sound server is back.
    case mediaServicesWereReset
    /// The first known route; there was none before it.
    case unknown
  }

  /// The reason.
  package var reason: Reason
  /// The route before; nil if there was none that anyone could hear.
  package var previous: Route?
  /// The route now; nil if there is none, or none yet.
  package var current: Route?
  /// Whether playback has to pause, because the sound would now go where the listener is not.
  package var pauses: Bool

  /// A change with these properties.
  package init(_ reason: Reason, from previous: Route?, to current: Route?, pauses: Bool = false) {
    self.reason = reason
    self.previous = previous
    self.current = current
    self.pauses = pauses
  }
}
