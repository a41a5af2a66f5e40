// SPDX-License-Identifier: MIT

/// How the sound server knows us.
package enum StreamIdentity {
  /// Properties of the connection.
  package static let application = [
    "application.name": "fermata", "application.id": "org.fermata.Agent", "application.icon_name": "fermata",
  ]

  /// Properties of the music stream. Because of its role, calls silence it. Its volume is kept under a name of its own, so that other
  /// players with the same role cannot change it.
  package static let music = [
    "media.role": "music", "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent",
    "media.icon_name": "audio-x-generic",
  ]
}
