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
  /// - Parameter folder: the folder of kept playlists. If the file is in there, what it had before can be restored.
  package static func save(
    _ playlist: Playlist, at path: FilePath, replacing: Bool = true, keptIn folder: PlaylistFolder? = nil
  ) throws(PlaylistFileError) {
    try write(at: path, replacing: replacing, folder) { (format, folder) throws(PlaylistError) in
      try PlaylistWriter.write(playlist, as: format, in: folder)
    }
  }

  /// Writes what `content` returns for the format that the name says, and for the folder below which files are named relative to it.
  private static func write(
    at path: FilePath, replacing: Bool, _ keeping: PlaylistFolder?,
    _ content: (PlaylistFormat, FilePath?) throws(PlaylistError) -> [UInt8]
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
      bytes = try content(format, isLink(path) ? nil : path.parent)
    } catch {
      throw PlaylistFileError(path, .unsupported(error))
    }
    if let keeping, path.parent == keeping.path { keeping.keep(path) }
    do {
      try NewFile.write(bytes, at: path, replacing: replacing)
    } catch {
      throw PlaylistFileError(path, error.code == EEXIST ? .exists : .unwritable(error.code))
    }
  }

  /// Adds entries at the end of a playlist file, or makes the file if there is none. Blocks on the disk. Traps on a relative path.
  ///
  /// It is written as `save` writes one. An M3U file keeps all that it has as it is written; other formats are read and written anew.
  package static func append(
    _ entries: [PlaylistEntry], to path: FilePath, keptIn folder: PlaylistFolder? = nil
  ) throws(PlaylistFileError) {
    precondition(path.isAbsolute, "relative to what: \(path)")
    guard !path.isMissing else { return try save(Playlist(entries: entries), at: path, replacing: false) }
    let former = try bytes(of: path)
    try write(at: path, replacing: true, folder) { (format, folder) throws(PlaylistError) in
      try PlaylistWriter.append(
        entries, to: former, of: path, as: format, host: FilePath.thisHost, in: folder)
    }
  }

  /// Removes entries, counted from 1, from a playlist file. Blocks on the disk. Traps on a relative path.
  ///
  /// It is written as `save` writes one. An M3U file keeps all else that it has as it is written; other formats are read and written anew.
  package static func remove(
    _ rows: Set<Int>, from path: FilePath, keptIn folder: PlaylistFolder? = nil
  ) throws(PlaylistFileError) {
    let former = try bytes(of: path)
    try write(at: path, replacing: true, folder) { (_, folder) throws(PlaylistError) in
      try PlaylistWriter.remove(rows, from: former, of: path, host: FilePath.thisHost, in: folder)
    }
  }

  /// The content of a playlist file, which may be a byte longer than the longest that is read. Blocks on the disk.
  static func bytes(of file: FilePath) throws(PlaylistFileError) -> [UInt8] {
    do throws(SystemError) {
      let held = try HeldFile(file)
      guard held.kind == .file else { throw SystemError(code: EINVAL) }
      return try held.openFile().head(PlaylistReader.largestFile + 1)
    } catch {
      throw PlaylistFileError(file, .unreadable(error.code))
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
