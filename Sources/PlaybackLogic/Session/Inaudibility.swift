// SPDX-License-Identifier: MIT

/// Why music that plays cannot be heard: a mute or a volume of zero, mostly set in a mixer. The raw values are the
/// names on D-Bus.
package enum Inaudibility: String, Sendable, Hashable, CaseIterable {
  /// Our own stream is muted, and not by the server for a call.
  case muted
  /// The volume of our own stream is zero.
  case volume
  /// The output is muted.
  case outputMuted = "output-muted"
  /// The volume of the output is zero.
  case outputVolume = "output-volume"
}
