// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel

/// What reading a file's tags found.
package struct FileTags: Sendable, Equatable {
  /// The tags' values, and the length as the file claims it; playing may find another.
  package var tags: MediaTags
  /// How the sound is laid out, where the file says so and it can be played.
  package var format: AudioFormat?
  /// Bits a second in thousands, where known.
  package var kilobits: Int?
  /// Whether a picture is embedded.
  package var hasPicture: Bool
}
