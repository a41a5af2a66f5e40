// SPDX-License-Identifier: MIT

/// An output that only a recorder can hear. It has no ports, and can be removed as a whole.
package struct NullSink: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Its name on the server.
  package var name: String
  /// Frames a second.
  package var rate: Int
  /// Samples a frame, 1...8.
  package var channels: Int
  /// Whether PulseAudio may rewind what it has rendered but not played, as with most hardware. New sound is then
  /// heard at once instead of 50 ms later, but the sink's monitor loses up to one recorder fragment of it. That is
  /// good for measuring how soon a sound begins, not for counting samples. It has no effect on PipeWire.
  package var rewinds: Bool

  /// A sink with this name, by default at 44,100 Hz, the rate of most files.
  package init(_ name: String, rate: Int = 44_100, channels: Int = 2, rewinds: Bool = false) {
    self.name = name
    self.rate = rate
    self.channels = channels
    self.rewinds = rewinds
  }

  /// A stereo sink at 44,100 Hz.
  package init(stringLiteral name: String) { self.init(name) }

  // Floats, so that a recording is the same as what was played, bit for bit.
  var arguments: String { "sink_name=\(name) format=float32le rate=\(rate) channels=\(channels)" }

  // Only for PulseAudio: pipewire-pulse rejects unknown arguments.
  var pulseArguments: String { arguments + (rewinds ? "" : " norewinds=1") }
}
