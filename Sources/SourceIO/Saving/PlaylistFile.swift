// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
public import MediaModel
public import PlaylistModel

/// Playlists on the disk.
public enum PlaylistFile {
  /// Saves a playlist in the format of the name's extension. Whole or not at all: the file that was there
  /// before stays until the new one is on the disk. What lies below the file's folder is named relative to
  /// it, so that both can be moved together; a file that is reached through a link is written where the
  /// link leads, with absolute paths. Blocks on the disk. Traps for a relative path.
  public static func save(_ playlist: Playlist, at path: FilePath) throws(PlaylistFileError) {
    precondition(path.isAbsolute, "relative to what: \(path)")
    guard let format = PlaylistFormat(name: path) else { throw PlaylistFileError(path, .unknownFormat) }
    let previous = try previous(at: path)
    let target = path.real ?? path
    let isLink = path.lastComponent != target.lastComponent || path.parent?.real != target.parent?.real
    let bytes: [UInt8]
    do {
      bytes = try PlaylistWriter.write(playlist, as: format, in: isLink ? nil : path.parent)
    } catch {
      throw PlaylistFileError(path, .unsupported(error))
    }
    do {
      let file = try NewFile(besides: target)
      try file.write(bytes)
      if let previous { try file.setPermissions(previous) }
      try file.publish(as: target)
    } catch {
      throw PlaylistFileError(path, .unwritable(error.code))
    }
  }

  /// The permissions of the file that is to be replaced; nil where there is none. Only files are replaced:
  /// a rename would throw away a device as well.
  private static func previous(at path: FilePath) throws(PlaylistFileError) -> UInt32? {
    guard let held = try? HeldFile(path) else { return nil }
    guard held.kind == .file else { throw PlaylistFileError(path, .notAFile(held.kind.name)) }
    return held.permissions
  }
}
