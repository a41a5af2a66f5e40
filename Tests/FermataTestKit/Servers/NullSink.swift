// SPDX-License-Identifier: MIT

/// An output that nobody hears, except a recorder: a device without ports, which can vanish whole.
package struct NullSink: Sendable, Hashable, ExpressibleByStringLiteral {
  /// What the server calls it.
  package var name: String
  /// Frames a second.
  package var rate: Int
  /// Samples a frame, 1...8.
  package var channels: Int
  /// Whether PulseAudio may take back what it has rendered and not yet played, as with most hardware. What is new
  /// then sounds at once instead of 50 ms later, but the sink's monitor loses up to a recorder's fragment of it:
  /// good for measuring how soon a sound begins, not for counting samples. Means nothing to PipeWire.
  package var rewinds: Bool

  /// A sink with this name, at the rate that most files have.
  package init(_ name: String, rate: Int = 44_100, channels: Int = 2, rewinds: Bool = false) {
    self.name = name
    self.rate = rate
    self.channels = channels
    self.rewinds = rewinds
  }

  /// A stereo sink at 44,100 Hz.
  package init(stringLiteral name: String) { self.init(name) }

  // Floats, so that a recording is what was played, bit for bit.
  var arguments: String { "sink_name=\(name) format=float32le rate=\(rate) channels=\(channels)" }

  // Server-specific: pipewire-pulse refuses arguments that it does not know.
  var pulseArguments: String { arguments + (rewinds ? "" : " norewinds=1") }
}
