// SPDX-License-Identifier: MIT
import AudioModel

/// The result of the last decision: where our sound goes. New readings are compared with it.
struct Standing: Sendable, Equatable {
  /// The sink and port; nil if there was no output at all.
  var place: Place?
  /// Our stream at that time.
  var stream: SinkInput.Index?
  /// Whether the loss of the place was reported, or its port was already unplugged when it was settled. Later changes
  /// that only follow from that are not reported.
  var isLost: Bool

  init(place: Place?, stream: SinkInput.Index?, isLost: Bool? = nil) {
    self.place = place
    self.stream = stream
    self.isLost = isLost ?? place?.isUnplugged ?? false
  }
}
