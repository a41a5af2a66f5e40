// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel

extension PlaybackStream {
  /// What a stream is made with.
  package struct Settings: Sendable {
    /// What mixers show.
    package var name: String
    /// Of everything that is written.
    package var format: AudioFormat
    /// How much sound lies ready at the server. A cork is instant whatever the length, so more costs nothing but memory.
    package var bufferLength: Duration = .seconds(2)
    /// How much has to be written before it begins to sound, at the making and after a flush; `trigger` begins with less. The
    /// server's buffer is as short as that asks for until it plays. Zero begins with the first frame.
    package var startLength: Duration = .zero
    /// Whether it waits for `uncork`.
    package var startsCorked = false
    /// Nil leaves the volume to what the server remembers for us.
    package var volume: Double?
    /// The output by name; nil leaves it to the server.
    package var sink: String?
    /// `media.role` and the like.
    package var properties: [String: String] = [:]

    /// Settings for a stream of `format`; all else as preset.
    package init(name: String, format: AudioFormat) {
      self.name = name
      self.format = format
    }
  }
}
