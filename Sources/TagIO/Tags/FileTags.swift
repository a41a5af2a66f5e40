// SPDX-License-Identifier: MIT
public import AudioModel
public import MediaModel

/// What reading a file's tags found.
public struct FileTags: Sendable, Equatable {
  /// The tags' values, and the length as the file claims it; playing may find another.
  public var tags: MediaTags
  /// How the sound is laid out, where the file says so and it can be played.
  public var format: AudioFormat?
  /// Bits a second in thousands, where known.
  public var kilobits: Int?
  /// Whether a picture is embedded.
  public var hasPicture: Bool
}
