// SPDX-License-Identifier: MIT
package import AudioModel

/// What our stream's output lets through, as last read: somebody may have muted it, or turned it down to nothing.
package struct OutputLevel: Sendable, Hashable {
  /// It is muted.
  package private(set) var isMuted = false
  /// Its volume is 0.
  package private(set) var isSilent = false

  /// One of which nothing was read.
  package init() {}

  /// Takes over what a reading says of it. Without a stream of ours it is the output where one would go. A stream that is linked
  /// to nothing is on its way to another: until it is there, what it left stands.
  package mutating func look(at world: AudioWorld, ownInput: SinkInput.Index?) {
    guard let sink = Reading(world: world, ownInput: ownInput).sink else { return }
    isMuted = sink.isMuted
    isSilent = sink.volume.map(StreamVolume.isNothing) ?? false
  }
}
