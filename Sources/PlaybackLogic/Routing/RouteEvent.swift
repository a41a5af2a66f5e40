// SPDX-License-Identifier: MIT
package import AudioModel

/// What happened on the sound server or to our stream, for the route classifier, which finds out from it where our sound goes. Handed in as it
/// happens, in order.
package enum RouteEvent: Sendable, Equatable {
  /// The listener ordered that our sound goes to the sink of this name. Our stream is about to be moved there.
  case ordered(sinkNamed: String)
  /// Our stream now goes to another sink.
  case moved(to: Sink.Index)
  /// The server reported a change of a sink.
  case sink(ServerChange, Sink.Index)
  /// The server reported a change of a card.
  case card(ServerChange, Card.Index)
  /// The server reported a change of itself, most often another default sink.
  case serverChanged
  /// The listener's choice of an output holds for the next stream as well.
  case chosen
  /// The answer to `RouteEffect.readWorld`: all that the server says of itself. `ownInput` is the stream that carries our sound, if there is one, and
  /// `chosenSink` the sink on which the next one will be made. `isWanted` is true if the listener wants music, whatever keeps it silent.
  case world(AudioWorld, ownInput: SinkInput.Index?, chosenSink: String? = nil, isWanted: Bool = false)
  /// The server has made our stream.
  case streamReady
  /// The server reported a change of our stream: it was linked, corked or muted.
  case streamChanged
  /// The server reported a change of another stream. It may be that of a filter.
  case otherStreamChanged
  /// Our stream no longer exists. `killed` is true if somebody had it ended; otherwise it could not be made, or the connection is gone.
  case streamEnded(killed: Bool)
  /// The server is gone, or was not found.
  case serverLost
  /// The server answers.
  case serverFound
  case wokeUp
  /// The time of `RouteEffect.timer` is over. The event may be late, or belong to a wait that is over.
  case timer
}

/// What the route classifier, which finds out where our sound goes, wants done. The effects of one event have to be carried out in their order.
package enum RouteEffect: Sendable, Equatable {
  /// Read all that the sound server says of itself and hand it in as `RouteEvent.world`. At most one such request is open at a
  /// time. If the reading fails while the server stays, it has to be tried again.
  case readWorld
  /// Cork our stream before anything else is done, because the sound may be going to the wrong device.
  case hold
  /// Silence is no longer needed for the route. The session decides whether the music sounds again. `sinkIsGone` is true if the sink that our sound
  /// went to was seen gone meanwhile.
  case release(sinkIsGone: Bool)
  /// Send `RouteEvent.timer` after this time. A later request replaces an earlier one.
  case timer(after: Duration)
  /// Report this change of the route, which is the output and port that our sound goes to.
  case change(RouteChange)
  /// Somebody terminated our stream while its sink is still there. The route has not changed, but playback pauses.
  case terminated
}
