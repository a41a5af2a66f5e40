// SPDX-License-Identifier: MIT

/// The sound server as it describes itself.
package struct AudioServer: Sendable, Equatable {
  /// Which program the server is. PipeWire speaks PulseAudio's protocol, and is told apart by its name.
  package enum Kind: String, Sendable {
    case pulseAudio = "PulseAudio"
    case pipeWire = "PipeWire"
  }

  /// The server's own name, "pulseaudio" or "PulseAudio (on PipeWire 0.3.65)".
  package var name: String
  /// The version that goes with the name.
  package var version: String
  /// The sink that new streams go to, by name; empty when there is none.
  package var defaultSink: String
  /// The source that new recordings come from, by name; empty when there is none.
  package var defaultSource: String

  /// A server with these properties.
  package init(name: String, version: String, defaultSink: String, defaultSource: String = "") {
    self.name = name
    self.version = version
    self.defaultSink = defaultSink
    self.defaultSource = defaultSource
  }

  /// Which program the server is, as its name tells.
  package var kind: Kind { name.split { !$0.isLetter }.contains("PipeWire") ? .pipeWire : .pulseAudio }
}
