// SPDX-License-Identifier: MIT

/// What a sound server has said of itself: one reading of all its lists.
///
/// The lists are read one after another while the server goes on. So a stream may name a sink that is not in `sinks`,
/// and whoever uses a world must allow for that.
package struct AudioWorld: Sendable, Equatable {
  /// The server that was read.
  package var server: AudioServer
  /// Every output.
  package var sinks: [Sink]
  /// Every piece of hardware.
  package var cards: [Card]
  /// Everybody's playback streams, ours among them.
  package var sinkInputs: [SinkInput]
  /// Everybody's recording streams.
  package var sourceOutputs: [SourceOutput]
  /// Every connected program.
  package var clients: [AudioClient]

  /// A world made of these lists.
  package init(
    server: AudioServer, sinks: [Sink] = [], cards: [Card] = [], sinkInputs: [SinkInput] = [],
    sourceOutputs: [SourceOutput] = [], clients: [AudioClient] = []
  ) {
    self.server = server
    self.sinks = sinks
    self.cards = cards
    self.sinkInputs = sinkInputs
    self.sourceOutputs = sourceOutputs
    self.clients = clients
  }

  /// The sink with this number, if it was there.
  package func sink(_ index: Sink.Index) -> Sink? { sinks.first { $0.index == index } }
  /// The sink with this name, if it was there.
  package func sink(named name: String) -> Sink? { sinks.first { $0.name == name } }
  /// The card with this number, if it was there.
  package func card(_ index: Card.Index) -> Card? { cards.first { $0.index == index } }
  /// The playback stream with this number, if it was there.
  package func sinkInput(_ index: SinkInput.Index) -> SinkInput? { sinkInputs.first { $0.index == index } }
  /// The client with this number, if it was there.
  package func client(_ index: AudioClient.Index) -> AudioClient? { clients.first { $0.index == index } }
}
