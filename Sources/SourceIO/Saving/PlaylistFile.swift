// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel
package import PlaylistModel

/// Playlists on the disk.
package enum PlaylistFile {
  /// Saves a playlist in the format of the name's extension. Whole or not at all: the file that was there
  /// before stays until the new one is on the disk. What lies below the file's folder is named relative to
  /// it, so that both can be moved together; a file that is reached through a link is written where the
  /// link leads, with absolute paths. Blocks on the disk. Traps for a relative path.
  ///
  /// - Parameter replacing: whether a file that is there may be replaced; else it throws.
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

  /// Throws where something is at the path that must stay. Only files are replaced: a rename would throw away a device
  /// as well.
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
