// SPDX-License-Identifier: MIT

/// Why music that plays is not heard: what somebody has set in a mixer. The texts are those of the bus.
package enum Inaudibility: String, Sendable, Hashable, CaseIterable {
  /// Our own stream is muted, and not by the server for a call.
  case muted
  /// Our own stream has no volume left.
  case volume
  /// The output is muted.
  case outputMuted = "output-muted"
  /// The output has no volume left.
  case outputVolume = "output-volume"
}
