// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
package import MediaModel
package import SourceIO

/// Where the user's files belong, from the environment, by the desktop's (XDG) rules for base folders. A path is nil if neither its
/// variable nor HOME holds an absolute path.
package enum UserFolders {
  /// The folder for pictures that were found in tags.
  package static var artFolder: FilePath? { folder("XDG_CACHE_HOME", ".cache")?.entry("art") }

  /// The folder in which the queue, the volume, the listener's place and the lines typed in `fermata ui` are stored.
  package static var stateFolder: FilePath? { folder("XDG_STATE_HOME", ".local/state") }

  /// The file of the lines that were typed in `fermata ui`, which need not exist.
  package static var historyFile: FilePath? { stateFolder?.entry("history") }

  /// The path of the settings file, which need not exist.
  package static var settingsFile: FilePath? { folder("XDG_CONFIG_HOME", ".config")?.entry("fermata.conf") }

  /// The file with the user's own keys for `fermata ui`, which need not exist.
  package static var keysFile: FilePath? { folder("XDG_CONFIG_HOME", ".config")?.entry("keys.conf") }

  /// The folder of the saved playlists.
  package static var playlists: PlaylistFolder? { dataFolder.map { PlaylistFolder($0.entry("playlists")) } }

  /// The folder for the data that the user would miss most: the library with its ratings and counts, and the playlists.
  package static var dataFolder: FilePath? { folder("XDG_DATA_HOME", ".local/share") }

  /// The user's music folder, as the desktop names it in `user-dirs.dirs`; nil if it names none.
  package static var music: FilePath? {
    let home = absolute("HOME")
    guard let file = (absolute("XDG_CONFIG_HOME") ?? home?.entry(".config"))?.entry("user-dirs.dirs"),
      let bytes = try? OpenFile(file).head(1 << 16)
    else { return nil }
    return music(in: bytes, home: home)
  }

  /// The music folder in the text of a `user-dirs.dirs`: a line such as `XDG_MUSIC_DIR="$HOME/Music"`.
  static func music(in text: [UInt8], home: FilePath?) -> FilePath? {
    let start = "XDG_MUSIC_DIR=\"".utf8
    guard let line = text.split(separator: UInt8(ascii: "\n")).last(where: { $0.starts(with: start) }),
      let end = line.dropFirst(start.count).firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    var path = line[(line.startIndex + start.count)..<end]
    guard path.starts(with: "$HOME/".utf8) else { return FilePath(path).flatMap { $0.isAbsolute ? $0 : nil } }
    path = path.dropFirst("$HOME/".utf8.count)
    guard let home, let name = FilePath(path) else { return nil }
    return home.entry(name)
  }

  /// The reason to show when one of these paths is nil. `variable` is the environment variable that is missing, and `place` is what it would tell,
  /// such as "where playlists are kept".
  package static func reason(noneSays place: String, _ variable: String) -> String {
    "neither \(variable) nor HOME says \(place)" + (uselessHome.map { ": \($0)" } ?? "")
  }

  /// Why HOME counts as unset although it is set; nil if nothing is wrong with it.
  package static var uselessHome: String? {
    guard let home = value("HOME"), !home.isAbsolute else { return nil }
    return "HOME is '\(home)', which does not begin with a slash"
  }

  /// The folder for this program below a base folder. Relative paths are ignored, as the XDG rules demand.
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
