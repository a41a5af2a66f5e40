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
    // Without '..' it is seen which files are below the playlist's folder. The name itself may be that of a link.
    let path =
      path.parent.flatMap { folder in path.lastComponent.map { folder.withoutParents.entry($0) } } ?? path
    guard let format = PlaylistFormat(name: path) else { throw PlaylistFileError(path, .unknownFormat) }
    try refuse(path, replacing: replacing)
    // Whoever asks for a playlist to be written may have made the link, and must not write any other file by it.
    if let place = try? path.writingPlace(), PlaylistFormat(name: place) != format {
      throw PlaylistFileError(path, .leadsTo(place))
    }
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

  /// Throws if there is something at the path that must not be replaced. Only a regular file may be replaced; renaming over the path would also
  /// replace a device.
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

/// Why a playlist was not saved, read or removed. The file is unchanged.
package struct PlaylistFileError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case unknownFormat
    case unsupported(PlaylistError)
    /// Something other than a regular file has that name; the text says what, for a person.
    case notAFile(String)
    case exists
    /// The name is that of a link to this file, which is named as something else.
    case leadsTo(FilePath)
    /// The file can't be written or removed; the system's error number.
    case unwritable(Int32)
    /// The file or folder can't be read; the system's error number.
    case unreadable(Int32)
    case noPlaylist(PlaylistError)
  }

  /// The playlist file, or the folder, that the error is about.
  package let path: FilePath
  package let reason: Reason

  init(_ path: FilePath, _ reason: Reason) {
    (self.path, self.reason) = (path, reason)
  }

  /// The file, the reason and what to do.
  package var description: String { "\(path): \(explanation)" }

  package var explanation: String {
    switch reason {
    case .unknownFormat:
      "not the name of a playlist; end it in one of \(Self.extensions)"
    case .unsupported(let error): "can't hold \(error)"
    case .notAFile(let what): "is \(what); choose another name"
    case .leadsTo(let file): "leads to '\(file)', which is not named as such a playlist; choose another name"
    case .exists: "is there already; ask for it to be replaced, or choose another name"
    case .unwritable(let code):
      "can't be written: \(String(errno: code)); choose another folder"
        + (SystemError(code: code).isOfFullDisk ? " or make room" : "")
    case .unreadable(let code): "can't be read: \(String(errno: code))"
    case .noPlaylist(let error): error.explanation
    }
  }

  private static let extensions = PlaylistFormat.allCases.map { ".\($0)" }.joined(separator: ", ")
}
