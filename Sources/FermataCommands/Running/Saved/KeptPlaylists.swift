// SPDX-License-Identifier: MIT
import CommandModel
import FermataAgent
import MediaModel
import SourceIO

/// The user's kept playlists, found by their names. Blocks on the disk.
enum KeptPlaylists {
  /// The prefix of a source that names a kept playlist.
  static let prefix = "playlist:"

  /// The folder that they are in. Throws if the environment doesn't say where it is.
  static func folder() throws(CommandError) -> PlaylistFolder {
    guard let folder = PlaylistFolder.session else {
      throw CommandError(
        .cannotWrite, "playlists", Surroundings.reason(noneSays: "where they are", "XDG_DATA_HOME"),
        "set HOME")
    }
    return folder
  }

  /// All kept playlists.
  static func items() throws(CommandError) -> [PlaylistFolder.Item] {
    let folder = try folder()
    do { return try folder.items() } catch { throw CommandError(error, .noSuchFile) }
  }

  /// The playlist with this name. Throws if there is none.
  static func item(named name: String) throws(CommandError) -> PlaylistFolder.Item {
    let items = try items()
    if let item = items.first(where: { $0.name == name }) { return item }
    let meant = Suggestion.nearest(to: name, among: items.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
    throw CommandError(
      .noSuchFile, "playlist '\(name)'", "there is none of that name", meant + "'fermata playlist' lists them"
    )
  }

  /// The file of the playlist that a source names; nil if the source does not begin with the prefix.
  static func file(ofSource written: [UInt8]) throws(CommandError) -> FilePath? {
    guard written.starts(with: prefix.utf8) else { return nil }
    return try item(named: String(decoding: written.dropFirst(prefix.utf8.count), as: UTF8.self)).file
  }
}

extension CommandError {
  init(_ error: PlaylistFileError, _ code: ExitCode) {
    self.init(code, error.path.text, error.explanation)
  }
}
