// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel

/// Pictures as files that other programs can open, each once however many songs share it. A file's name comes
/// from its content; it appears whole or not at all. May be used from any thread and by several processes; blocks
/// while the disk works. Losing any of it loses nothing.
package struct ArtCache: Sendable {
  /// The folder; made when first needed, for this user alone.
  package let folder: FilePath
  /// Bytes of all pictures together; the least recently used go first.
  package let limit: Int

  /// A cache in a folder of its own. The disk is not touched yet.
  package init(folder: FilePath, limit: Int = 256 << 20) {
    self.folder = folder
    self.limit = limit
  }

  /// The file that holds a picture, written unless it is there.
  /// - Throws: where it isn't there and can't be put there; nothing half-written remains.
  package func file(for picture: CoverPicture) throws(ArtCacheError) -> FilePath {
    guard let name = FilePath(ContentHash(picture.bytes).text + "." + picture.format.rawValue) else {
      preconditionFailure("the name has no NUL")
    }
    let path = folder.entry(name)
    if holds(picture, at: path) {
      touch(path)
      return path
    }
    guard picture.bytes.count <= limit else {
      throw ArtCacheError(path: path, operation: .fit, code: 0)
    }
    try makeFolder()
    try write(picture.bytes, to: path)
    removeOldest(sparing: name)
    return path
  }

  private func holds(_ picture: CoverPicture, at path: FilePath) -> Bool {
    guard let file = try? RegularFile(path), file.size == picture.bytes.count else { return false }
    return file.bytes(at: 0, count: file.size) == picture.bytes
  }

  /// Marks a picture as used now. If that fails, the picture is only removed earlier.
  private func touch(_ path: FilePath) {
    _ = unsafe path.withCString { text in unsafe utimensat(AT_FDCWD, text, nil, 0) }
  }

  private func makeFolder() throws(ArtCacheError) {
    do throws(SystemError) { try NewFolder.make(folder) } catch {
      throw ArtCacheError(path: folder, operation: .makeFolder, code: error.code)
    }
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(ArtCacheError) {
    let file: NewFile
    do throws(SystemError) { file = try NewFile(besides: path, mode: 0o600) } catch {
      throw ArtCacheError(path: folder, operation: .create, code: error.code)
    }
    do throws(SystemError) { try file.write(bytes) } catch {
      throw ArtCacheError(path: path, operation: .write, code: error.code)
    }
    do throws(SystemError) { try file.publish(as: path, survivesPowerLoss: false) } catch {
      throw ArtCacheError(path: path, operation: .rename, code: error.code)
    }
  }
}
