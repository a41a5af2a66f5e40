// SPDX-License-Identifier: MIT
package import AudioModel

/// Whether the output that our stream goes to is muted or turned down to nothing, as last read.
package struct OutputLevel: Sendable, Hashable {
  /// Whether the output is muted.
  package private(set) var isMuted = false
  /// Whether the output's volume is 0.
  package private(set) var isSilent = false

  /// The level before any reading: neither muted nor silent.
  package init() {}

  /// Takes over a reading of the sound server. If we have no stream, the default output counts, where a stream would go. If our
  /// stream is not linked to any output, it is on its way from one to another: until it arrives, the last level stays.
  package mutating func look(at world: AudioWorld, ownInput: SinkInput.Index?) {
    guard let sink = Reading(world: world, ownInput: ownInput).sink else { return }
    isMuted = sink.isMuted
    isSilent = sink.volume.map(StreamVolume.isNothing) ?? false
  }
}
