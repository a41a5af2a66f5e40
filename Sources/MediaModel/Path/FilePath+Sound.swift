// SPDX-License-Identifier: MIT

extension FilePath {
  /// The extensions of files that are worth opening, lossless formats first.
  package static let soundExtensions = [
    "flac", "wav", "wave", "rf64", "aiff", "aif", "aifc", "caf", "au", "snd", "opus", "ogg", "oga", "mp3",
    "mp2", "mpga",
  ]

  /// Whether the name is that of a sound file. Only a guess, for folders: what plays is decided by the
  /// content.
  package var looksPlayable: Bool { Self.soundNames.contains(pathExtension) }

  private static let soundNames = Set(soundExtensions)

  /// Whether the name is that of a sound file or film of a format that is not played here. Such a file is no playlist,
  /// whatever is in it.
  package var looksForeign: Bool { Self.foreignNames.contains(pathExtension) }

  private static let foreignNames: Set = [
    "m4a", "m4b", "m4p", "mp4", "m4v", "mov", "aac", "adts", "alac", "wma", "asf", "wmv", "ape", "wv", "mpc",
    "mp+",
    "tta", "tak", "ofr", "shn", "dsf", "dff", "ac3", "eac3", "dts", "amr", "awb", "3gp", "mka", "mkv", "webm",
    "ogv", "ogm", "ogx", "spx", "ra", "rm", "voc", "avi", "flv", "mid", "midi", "kar", "rmi", "mod", "xm",
    "it",
    "s3m", "sid", "nsf", "spc", "vgm",
  ]
}
