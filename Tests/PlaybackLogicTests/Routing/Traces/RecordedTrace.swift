// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// What a classifier was told on a real server, from its connection on: a line an event, with the milliseconds before it.
///
///     0 server found
///     2 world laptop stream 1 on 3        the default sink; our stream, if there is one, and its sink, "-" for none
///       sink 3 laptop of 0 *speaker/speaker/unknown headphones/headphones/no       its card and ports, with the active one
///       card 0 card.laptop pci stereo speaker/speaker/unknown …                    its bus, profile and ports
///
/// A port is its name, kind and availability. A world without sinks and cards below it has those of the one before.
struct RecordedTrace: CustomTestStringConvertible {
  let name: String
  let server: AudioServer.Kind
  let reasons: [RouteChange.Reason]
  let moments: [Moment]

  init(_ name: String, on server: AudioServer.Kind, reasons: [RouteChange.Reason], _ text: String) {
    self.name = name
    self.server = server
    self.reasons = reasons
    var reader = TraceReader(server: server)
    for line in text.split(separator: "\n") { reader.read(line.split(separator: " ").map(String.init)) }
    moments = reader.moments
  }

  var testDescription: String { "\(server.rawValue): \(name)" }

  static let all = pulseAudioSockets + pulseAudioMoves + pipeWireSockets + pipeWireMoves
}
