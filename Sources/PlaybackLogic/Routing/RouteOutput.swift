// SPDX-License-Identifier: MIT

/// What the classifier of routes wants done, in this order.
package enum RouteOutput: Sendable, Equatable {
  /// Read the world and hand it in. At most one such wish is open at a time; a reading that fails while the server stays has
  /// to be tried again.
  case readWorld
  /// Cork at once, before anything else is done: sound may be on its way to the wrong ears.
  case hold
  /// The hold is over. Whether it sounds again is for the session to say.
  case release
  /// Send `timer` after this time; a later wish replaces an earlier one.
  case timer(after: Duration)
  /// The route changed.
  case change(RouteChange)
  /// Somebody ended our stream on purpose, while its sink is still there: no route change, but playback pauses.
  case terminated
}
