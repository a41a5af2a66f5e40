// SPDX-License-Identifier: MIT

/// How we call ourselves at the sound server.
package enum StreamIdentity {
  /// The connection.
  package static let application = [
    "application.name": "fermata", "application.id": "org.fermata.Agent", "application.icon_name": "fermata",
  ]

  /// The stream of music. The role has calls silence it; the name of our own under which its volume is kept stops every other
  /// player with that role from changing it.
  package static let music = [
    "media.role": "music", "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent",
    "media.icon_name": "audio-x-generic",
  ]
}
