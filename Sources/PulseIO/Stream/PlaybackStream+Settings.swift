// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel

extension PlaybackStream {
  /// What a stream is made with.
  package struct Settings: Sendable {
    /// The stream's name, which mixers show.
    package var name: String
    /// The format of everything that is written.
    package var format: AudioFormat
    /// How much sound the server's buffer holds when the stream plays. A cork is instant whatever the length, so more
    /// costs nothing but memory.
    package var bufferLength: Duration = .seconds(2)
    /// How much has to be written before the stream starts to sound, at first and after a flush; `trigger` starts it
    /// with less. Until the stream plays, the server's buffer is only as long as this needs. Zero starts with the first
    /// frame, and the buffer has its full length from the beginning.
    package var startLength: Duration = .zero
    /// Whether the stream is made corked and waits for `uncork`.
    package var startsCorked = false
    /// The volume that the stream starts with, a fraction of the full one. Nil leaves it to what the server remembers
    /// for us.
    package var volume: Double?
    /// The name of the output; nil lets the server choose.
    package var sink: String?
    /// What the server is told about the stream: `media.role` and the like.
    package var properties: [String: String] = [:]

    /// Settings for a stream of `format`; everything else has its default.
    package init(name: String, format: AudioFormat) {
      self.name = name
      self.format = format
    }
  }
}
