// SPDX-License-Identifier: MIT
package import AudioModel

/// The events that the route classifier handles, in the order in which they happen.
package enum RouteEvent: Sendable, Equatable {
  /// What happened to a sink or a card of the server.
  package enum Change: Sendable, Equatable {
    case new, changed, removed
  }

  /// Our stream now goes to another sink.
  case moved(to: Sink.Index)
  /// The server reported a change of a sink.
  case sink(Change, Sink.Index)
  /// The server reported a change of a card.
  case card(Change, Card.Index)
  /// The server reported a change of itself, most often another default sink.
  case serverChanged
  /// The world has been read. `ownInput` is the stream that carries our sound, if there is one.
  case world(AudioWorld, ownInput: SinkInput.Index?)
  /// The server has made our stream.
  case streamReady
  /// The server reported a change of our stream: it was linked, corked or muted.
  case streamChanged
  /// Our stream no longer exists: somebody had it killed, or the connection is gone.
  case streamEnded(killed: Bool)
  /// The server is gone, or was not found.
  case serverLost
  /// The server answers. If `makesStream` is true, our stream is about to be made, and the route is not settled before
  /// that stream is there or two seconds have passed.
  case serverFound(makesStream: Bool)
  /// The machine woke up.
  case wokeUp
  /// The timer that was asked for has fired. It may be late, or belong to a wait that is over.
  case timer
}
