// SPDX-License-Identifier: MIT
import Glibc
public import MediaModel

/// What the environment says of where things belong, by the desktop's rules for base folders.
public enum Surroundings {
  /// Where pictures are kept, as long as there is room.
  public static var artFolder: FilePath? {
    folder("XDG_CACHE_HOME", "/.cache").flatMap { FilePath($0 + "/art") }
  }

  /// Where the queue and the place in it are kept.
  public static var stateFolder: String? { folder("XDG_STATE_HOME", "/.local/state") }

  /// The file of what the user has chosen.
  static var settingsFile: FilePath? {
    folder("XDG_CONFIG_HOME", "/.config").flatMap { FilePath($0 + "/fermata.conf") }
  }

  /// Where playlists are kept.
  static var playlistFolder: FilePath? {
    folder("XDG_DATA_HOME", "/.local/share").flatMap { FilePath($0 + "/playlists") }
  }

  /// Chance for a new queue. Without the kernel's help every order is the same, which is no harm.
  static func seed() -> UInt64 {
    var seed = UInt64(0)
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    return seed
  }

  /// Relative paths are to be ignored, the rules say.
  private static func folder(_ variable: String, _ fallback: String) -> String? {
    if let base = value(variable), base.hasPrefix("/") { return base + "/fermata" }
    return value("HOME").map { $0 + fallback + "/fermata" }
  }

  private static func value(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
}
