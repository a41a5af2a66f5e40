// SPDX-License-Identifier: MIT
package import AudioModel

/// What the classifier of routes has to be told, in the order in which it happens.
package enum RouteEvent: Sendable, Equatable {
  /// What can happen to a part of the server's world.
  package enum Change: Sendable, Equatable {
    case new, changed, removed
  }

  /// Our stream now goes to another sink.
  case moved(to: Sink.Index)
  /// The server told of a sink.
  case sink(Change, Sink.Index)
  /// The server told of a card.
  case card(Change, Card.Index)
  /// The server told of itself: most often another default sink.
  case serverChanged
  /// A reading of the world is done. `ownInput` is the stream that carries our sound, if there is one.
  case world(AudioWorld, ownInput: SinkInput.Index?)
  /// The server has made a stream of ours.
  case streamReady
  /// The server told of our stream: it was linked, corked or muted.
  case streamChanged
  /// Our stream exists no more: killed by somebody's order, or gone with the connection.
  case streamEnded(killed: Bool)
  /// The server is gone, or was not found.
  case serverLost
  /// The server answers. Where a stream of ours is about to be made there, nothing is settled before that stream is.
  case serverFound(makesStream: Bool)
  /// The machine woke up.
  case wokeUp
  /// The time that was asked for is over. May come late, or for a wait that has become pointless.
  case timer
}
