// SPDX-License-Identifier: MIT

extension FilePath {
  /// The extensions of files that are worth opening, those without loss first.
  public static let soundExtensions = [
    "flac", "wav", "wave", "rf64", "aiff", "aif", "aifc", "caf", "au", "snd", "opus", "ogg", "oga", "mp3",
    "mp2", "mpga",
  ]

  /// Whether the name is that of a sound file. Only a guess, for folders: what plays is decided by the
  /// content.
  public var looksPlayable: Bool { Self.soundNames.contains(pathExtension) }

  private static let soundNames = Set(soundExtensions)
}
