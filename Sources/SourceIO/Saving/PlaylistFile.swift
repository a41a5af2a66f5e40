// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel
package import PlaylistModel

/// Saves playlists to disk.
package enum PlaylistFile {
  /// Saves a playlist in the format that the file name's extension names. Blocks on the disk. Traps on a relative
  /// path.
  ///
  /// The file is written completely or not at all: an existing file stays until the new one is on the disk. Files
  /// below the playlist's own folder are named relative to it, so that both can be moved together. If the path goes
  /// through a symbolic link, the target of the link is written, and all paths in the playlist are absolute.
  ///
  /// - Parameter replacing: whether an existing file may be replaced; if not, this throws.
  package static func save(
    _ playlist: Playlist, at path: FilePath, replacing: Bool = true
  ) throws(PlaylistFileError) {
    precondition(path.isAbsolute, "relative to what: \(path)")
    guard let format = PlaylistFormat(name: path) else { throw PlaylistFileError(path, .unknownFormat) }
    try refuse(path, replacing: replacing)
    let bytes: [UInt8]
    do {
      bytes = try PlaylistWriter.write(playlist, as: format, in: isLink(path) ? nil : path.parent)
    } catch {
      throw PlaylistFileError(path, .unsupported(error))
    }
    do {
      try NewFile.write(bytes, at: path, replacing: replacing)
    } catch {
      throw PlaylistFileError(path, error.code == EEXIST ? .exists : .unwritable(error.code))
    }
  }

  /// Throws if something at the path must not be replaced. Only regular files may be: the rename would also replace a
  /// device.
  private static func refuse(_ path: FilePath, replacing: Bool) throws(PlaylistFileError) {
    guard let held = try? HeldFile(path) else { return }
    guard held.kind == .file else { throw PlaylistFileError(path, .notAFile(held.kind.name)) }
    guard replacing else { throw PlaylistFileError(path, .exists) }
  }

  private static func isLink(_ path: FilePath) -> Bool {
    guard let place = try? path.writingPlace() else { return false }
    return path.lastComponent != place.lastComponent || path.parent?.real != place.parent?.real
  }
}
