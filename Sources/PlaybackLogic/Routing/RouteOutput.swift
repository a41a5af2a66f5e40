// SPDX-License-Identifier: MIT

/// What the route classifier wants done. The outputs of one event have to be carried out in their order.
package enum RouteOutput: Sendable, Equatable {
  /// Read the world and hand it in as `RouteEvent.world`. At most one such request is open at a time. If the reading
  /// fails while the server stays, it has to be tried again.
  case readWorld
  /// Cork our stream before anything else is done, because the sound may be going to the wrong device.
  case hold
  /// End the hold. The session decides whether the music sounds again.
  case release
  /// Send `RouteEvent.timer` after this time. A later request replaces an earlier one.
  case timer(after: Duration)
  /// The route changed.
  case change(RouteChange)
  /// Somebody terminated our stream while its sink is still there. The route has not changed, but playback pauses.
  case terminated
}
