// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

/// A row of the table of what a change of the sound's way means: a desk, what happens to it, and what has to come of that.
struct RouteRow: Sendable {
  /// What becomes of the music.
  enum End: Sendable {
    case paused
    case sounds(on: String)
  }

  /// A module of the server that takes sound from a sink and plays it to another.
  struct Filter: Sendable {
    let module: String
    let arguments: String

    static func remap(_ name: String, of sink: String) -> Filter {
      Filter(module: "module-remap-sink", arguments: "sink_name=\(name) master=\(sink)")
    }

    static func loopback(of source: String, to sink: String) -> Filter {
      Filter(module: "module-loopback", arguments: "source=\(source).monitor sink=\(sink) latency_msec=20")
    }
  }

  let name: String
  /// Null sinks that are there.
  var sinks: [NullSink] = []
  /// Cards that are plugged in.
  var cards: [CardLayout] = []
  /// PulseAudio's rules; WirePlumber has its own.
  var modules: [PulseModule] = .usual
  /// Filters that are loaded.
  var filters: [Filter] = []
  /// Where the music is at first.
  let start: String
  /// Whether the user chose that. Where nobody has, servers turn to what is plugged in.
  var isChosen = true
  let reasons: [String]
  let end: End
  /// Sinks that must stay silent though the music goes on.
  var silent: [String] = []
  /// Servers that cannot be brought to do this, and why.
  var impossible: [RouteServer: String] = [:]
  let act: @Sendable (RouteStage) throws -> Void

  /// All of them. One row of the table has no test: a port that is "unknown" for good, as old cards have it, tells nobody anything.
  static let all = jackRows + deviceRows + moveRows + filterRows
}

/// A row on a server that can do it.
struct RouteCase: Sendable, CustomTestStringConvertible {
  let row: RouteRow
  let server: RouteServer

  var testDescription: String { "\(server): \(row.name)" }

  static func all(on server: RouteServer) -> [RouteCase] {
    RouteRow.all.filter { $0.impossible[server] == nil }.map { RouteCase(row: $0, server: server) }
  }
}
