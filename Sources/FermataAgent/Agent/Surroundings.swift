// SPDX-License-Identifier: MIT
import FileIO
import Glibc
package import MediaModel

/// What the environment says of where things belong, by the desktop's rules for base folders. Its values are bytes, as names of
/// files are.
package enum Surroundings {
  /// Where pictures are kept, as long as there is room.
  package static var artFolder: FilePath? { folder("XDG_CACHE_HOME", ".cache")?.entry("art") }

  /// Where the queue and the place in it are kept.
  package static var stateFolder: FilePath? { folder("XDG_STATE_HOME", ".local/state") }

  /// The file of what the user has chosen.
  static var settingsFile: FilePath? { folder("XDG_CONFIG_HOME", ".config")?.entry("fermata.conf") }

  /// Where playlists are kept.
  static var playlistFolder: FilePath? { folder("XDG_DATA_HOME", ".local/share")?.entry("playlists") }

  /// The reason where one of these is missing; `place` is what the variable could have said: "where playlists are kept".
  package static func reason(noneSays place: String, _ variable: String) -> String {
    "neither \(variable) nor HOME says \(place)" + (uselessHome.map { ": \($0)" } ?? "")
  }

  /// What is wrong with HOME, where it is set and yet counts as unset.
  static var uselessHome: String? {
    guard let home = value("HOME"), !home.isAbsolute else { return nil }
    return "HOME is '\(home)', which does not begin with a slash"
  }

  /// Chance for a new queue. Without the kernel's help every order is the same, which is no harm.
  static func seed() -> UInt64 {
    var seed = UInt64(0)
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    return seed
  }

  /// Relative paths are to be ignored, the rules say.
  private static func folder(_ variable: String, _ fallback: FilePath) -> FilePath? {
    absolute(variable)?.entry("fermata") ?? absolute("HOME")?.entry(fallback).entry("fermata")
  }

  private static func absolute(_ variable: String) -> FilePath? {
    value(variable).flatMap { $0.isAbsolute ? $0 : nil }
  }

  private static func value(_ variable: String) -> FilePath? {
    getenv(variable).flatMap { FilePath(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
