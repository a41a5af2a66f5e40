// SPDX-License-Identifier: MIT
import AudioModel
import PlaybackLogic
import PulseIO

/// The properties by which the sound server and its mixers know our connections and streams.
package enum StreamIdentity {
  /// Properties of our connection to the sound server.
  package static let application = [
    "application.name": "fermata", "application.id": "org.fermata.Agent", "application.icon_name": "fermata",
  ]

  /// Properties of the music stream. Because of its role, calls silence it. Its volume is remembered under a name of its own, so that other players
  /// with the same role cannot change it.
  package static let music = [
    "media.role": "music", "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent",
    "media.icon_name": "audio-x-generic",
  ]

  /// Properties of the connection of another program that has a player of ours inside it.
  static func application(of program: String) -> [String: String] { ["application.name": program] }

  /// Properties of the music stream of another program that has a player of ours inside it. Its volume is remembered separately from the agent's,
  /// and no agent pauses it for a lost output.
  static func music(of program: String) -> [String: String] {
    var properties = music
    properties["module-stream-restore.id"] = "sink-input-by-application-name:\(program)"
    properties[StreamProgram.selfGuardedKey] = program
    return properties
  }

  /// Properties of the pads' stream. It has a volume and a mute of its own. Its role is that of an instrument: servers leave such streams alone
  /// during calls, so none of them leaves this one muted. The pads' own session silences it instead.
  package static let pads = [
    "media.role": "production", SinkInput.padsMark: "pads",
    "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent.Pads",
    "media.icon_name": "audio-x-generic",
  ]
}
