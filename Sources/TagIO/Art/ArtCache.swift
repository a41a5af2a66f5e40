// SPDX-License-Identifier: MIT
internal import Glibc
public import MediaModel

/// Pictures as files that other programs can open, each once however many songs share it. A file's name comes
/// from its content; it appears whole or not at all. May be used from any thread and by several processes; blocks
/// while the disk works. Losing any of it loses nothing.
public struct ArtCache: Sendable {
  /// The folder; made when first needed, for this user alone.
  public let folder: FilePath
  /// Bytes of all pictures together; the least recently used go first.
  public let limit: Int

  /// A cache in a folder of its own. Nothing happens there yet.
  public init(folder: FilePath, limit: Int = 256 << 20) {
    self.folder = folder
    self.limit = limit
  }

  /// The file that holds a picture, written unless it is there.
  /// - Throws: where it isn't there and can't be put there; nothing half-written remains.
  public func file(for picture: CoverPicture) throws(ArtCacheError) -> FilePath {
    let name = ContentHash(picture.bytes).text + "." + picture.format.rawValue
    guard let path = folder.entry(Array(name.utf8)) else { preconditionFailure("the name has no NUL") }
    if holds(picture, at: path) {
      touch(path)
      return path
    }
    guard picture.bytes.count <= limit else {
      throw ArtCacheError(path: path, operation: .fit, code: 0)
    }
    try makeFolder()
    try write(picture.bytes, to: path)
    removeOldest(sparing: Array(name.utf8))
    return path
  }

  private func holds(_ picture: CoverPicture, at path: FilePath) -> Bool {
    guard let file = try? RegularFile(path), file.size == picture.bytes.count else { return false }
    return file.bytes(at: 0, count: file.size) == picture.bytes
  }

  /// Marks a picture as used now; where that fails it only goes earlier.
  private func touch(_ path: FilePath) {
    _ = unsafe path.withCString { text in unsafe utimensat(AT_FDCWD, text, nil, 0) }
  }

  private func makeFolder() throws(ArtCacheError) {
    var missing: [FilePath] = []
    var next: FilePath? = folder
    while let path = next {
      if make(path) == 0 || errno == EEXIST { break }
      guard errno == ENOENT else { throw ArtCacheError(path: path, operation: .makeFolder, code: errno) }
      missing.append(path)
      next = path.parent
    }
    for path in missing.reversed() where make(path) != 0 && errno != EEXIST {
      throw ArtCacheError(path: path, operation: .makeFolder, code: errno)
    }
  }

  private func make(_ path: FilePath) -> Int32 {
    unsafe path.withCString { text in unsafe mkdir(text, 0o700) }
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(ArtCacheError) {
    let file = try NewFile(in: folder)
    try file.write(bytes)
    try file.publish(as: path)
  }
}
