// SPDX-License-Identifier: MIT
import AudioModel

/// What was settled last: where our sound goes, as far as that has been told.
struct Standing: Sendable, Equatable {
  /// Nil where there was no output at all.
  var place: Place?
  /// The stream that was ours then.
  var stream: SinkInput.Index?
  /// That the place is gone has been told, or it was never there to be lost: what comes next only follows from it.
  var isLost: Bool

  init(place: Place?, stream: SinkInput.Index?, isLost: Bool? = nil) {
    self.place = place
    self.stream = stream
    self.isLost = isLost ?? place?.isUnplugged ?? false
  }
}
