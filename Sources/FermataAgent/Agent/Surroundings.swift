// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
package import MediaModel

/// Where the agent's files belong, from the environment, by the desktop's (XDG) rules for base folders. The values are bytes, as file
/// names are.
package enum Surroundings {
  /// Where pictures are cached, as long as the cache has room.
  package static var artFolder: FilePath? { folder("XDG_CACHE_HOME", ".cache")?.entry("art") }

  /// Where the queue and the place in it are kept.
  package static var stateFolder: FilePath? { folder("XDG_STATE_HOME", ".local/state") }

  /// The settings file.
  static var settingsFile: FilePath? { folder("XDG_CONFIG_HOME", ".config")?.entry("fermata.conf") }

  /// Where playlists are kept.
  static var playlistFolder: FilePath? { folder("XDG_DATA_HOME", ".local/share")?.entry("playlists") }

  /// The reason to show when one of these folders is unknown. `place` says what `variable` would have told, such as "where playlists
  /// are kept".
  package static func reason(noneSays place: String, _ variable: String) -> String {
    "neither \(variable) nor HOME says \(place)" + (uselessHome.map { ": \($0)" } ?? "")
  }

  /// Why HOME counts as unset although it is set; nil if nothing is wrong with it.
  static var uselessHome: String? {
    guard let home = value("HOME"), !home.isAbsolute else { return nil }
    return "HOME is '\(home)', which does not begin with a slash"
  }

  /// A random seed for a new queue.
  static func seed() -> UInt64 { .random(in: .min ... .max) }

  /// The XDG rules say that relative paths are ignored.
  private static func folder(_ variable: String, _ fallback: FilePath) -> FilePath? {
    absolute(variable)?.entry("fermata") ?? absolute("HOME")?.entry(fallback).entry("fermata")
  }

  private static func absolute(_ variable: String) -> FilePath? {
    value(variable).flatMap { $0.isAbsolute ? $0 : nil }
  }

  private static func value(_ variable: String) -> FilePath? {
    Process.environmentBytes(variable).flatMap { FilePath($0) }
  }
}
