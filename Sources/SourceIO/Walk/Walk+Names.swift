// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import PlaybackLogic
internal import PlaylistModel

extension Walk {
  /// Adds what a person or a peer named.
  mutating func add(_ request: SourceRequest, base: FilePath) throws(SourceError) {
    switch request {
    case .path(let path): try add(path.resolved(against: base).withoutParents)
    case .uri(let uri): try add(uri: uri)
    }
  }

  mutating func add(uri: String) throws(SourceError) {
    let path: FilePath
    do {
      path = try FilePath(uri: uri).tidied
    } catch {
      return note(uri, .badURI(error.explanation))
    }
    try add(path.withoutParents)
  }

  /// Adds a file, folder or playlist at an absolute path that a person or a playlist named.
  mutating func add(_ path: FilePath) throws(SourceError) {
    let held: HeldFile
    do {
      held = try HeldFile(path)
    } catch {
      return note(path, error)
    }
    switch held.kind {
    case .file: try add(file: held, path)
    case .folder: try add(namedFolder: held, path)
    case .pipe, .socket, .device: note(path, .notAFile(held.kind.name))
    }
  }

  private mutating func add(file: borrowing HeldFile, _ path: FilePath) throws(SourceError) {
    let open: OpenFile
    do {
      open = try file.openFile()
    } catch {
      return note(path, error)
    }
    let isPlaylist: Bool
    do {
      isPlaylist = try Self.isPlaylist(open, path)
    } catch {
      return note(path, error)
    }
    if isPlaylist {
      try add(playlist: open, path, file.identity)
    } else if !path.looksPlayable, let reason = refusal?(path) {
      note(path, .noSound(reason))
    } else {
      take(EntrySource(path.location, album: AlbumKey(folderOf: path)), from: path)
    }
  }

  /// Decides by the name. Only a name that is neither that of a playlist nor that of a media file is decided by the
  /// file's content: a playlist that is named like a sound file must not open the files that it lists.
  private static func isPlaylist(_ file: borrowing OpenFile, _ path: FilePath) throws(SystemError) -> Bool {
    if PlaylistFormat(name: path) != nil { return true }
    if path.looksPlayable || path.looksForeign { return false }
    return PlaylistFormat(bytes: try file.head(4_096), name: path) != nil
  }

  private mutating func add(namedFolder: borrowing HeldFile, _ path: FilePath) throws(SourceError) {
    let before = (found.count, failures)
    walked = []
    try add(folder: namedFolder, path, depth: 0)
    if !isFull, (found.count, failures) == before { note(path, .empty) }
  }
}
