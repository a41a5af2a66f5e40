// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel

/// Keeps pictures as files that other programs can open. A picture is stored once, however many songs share it, because
/// the file's name comes from its content. A file appears complete or not at all. Any file can be deleted at any time:
/// it is written again when it is asked for. May be used from any thread and by several processes; calls block on the
/// disk.
package struct ArtCache: Sendable {
  /// The folder that holds the files. It is created when first needed, with access for this user only.
  package let folder: FilePath
  /// The most bytes of all pictures together. Beyond that, the least recently used are deleted.
  package let limit: Int

  /// A cache in a folder of its own. The disk is not touched yet.
  package init(folder: FilePath, limit: Int = 256 << 20) {
    (self.folder, self.limit) = (folder, limit)
  }

  /// The file that holds a picture. If it is missing, it is written, and old pictures are deleted if the limit is exceeded.
  ///
  /// - Throws: if the file has to be written and that fails, or if the picture alone exceeds the limit. No half-written file remains.
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
    try write(picture.bytes, to: path)
    removeOldest(sparing: name)
    return path
  }

  private func holds(_ picture: CoverPicture, at path: FilePath) -> Bool {
    guard let file = try? OpenFile(path), file.size == picture.bytes.count else { return false }
    return (try? file.head(file.size)) == picture.bytes
  }

  /// Marks a picture as used now. If that fails, the picture is only removed earlier.
  func touch(_ path: FilePath) {
    _ = unsafe path.withCString { text in unsafe utimensat(AT_FDCWD, text, nil, 0) }
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(ArtCacheError) {
    var (operation, place) = (ArtCacheError.Operation.makeFolder, folder)
    do throws(SystemError) {
      try NewFolder.make(folder)
      operation = .create
      let file = try NewFile(besides: path, mode: 0o600)
      (operation, place) = (.write, path)
      try file.write(bytes)
      operation = .rename
      try file.publish(as: path, survivesPowerLoss: false)
    } catch {
      throw ArtCacheError(path: place, operation: operation, code: error.code)
    }
  }
}

extension ArtCache {
  private struct Entry {
    let path: FilePath
    let name: FilePath
    let size: Int
    let used: (Int, Int)
    /// The number of the file on disk, which other entries may share.
    let file: UInt64
  }

  /// Deletes the pictures that were used longest ago until the rest is within the limit, but never `newest`. Only files
  /// that the cache itself could have made are counted and deleted, so a folder that was named by mistake loses
  /// nothing.
  func removeOldest(sparing newest: FilePath) {
    var entries = entries()
    // A picture takes room once, by however many names it can be found.
    var names = entries.reduce(into: [UInt64: Int]()) { $0[$1.file, default: 0] += 1 }
    var total = Dictionary(entries.map { ($0.file, $0.size) }) { first, _ in first }.values.reduce(0, +)
    guard total > limit else { return }
    entries.sort { $0.used < $1.used }
    for entry in entries where entry.name != newest {
      if total <= limit { return }
      let result = unsafe entry.path.withCString { text in unsafe unlink(text) }
      guard result == 0 else { continue }
      names[entry.file, default: 1] -= 1
      if names[entry.file] == 0 { total -= entry.size }
    }
  }

  private func entries() -> [Entry] {
    guard var directory = try? HeldFile(folder).openFolder() else { return [] }
    var entries: [Entry] = []
    while let name = try? directory.next()?.name {
      if Self.isOurs(name), let entry = entry(named: name) { entries.append(entry) }
    }
    return entries
  }

  private func entry(named name: FilePath) -> Entry? {
    let path = folder.entry(name)
    var status = stat()
    let result = unsafe path.withCString { text in unsafe lstat(text, &status) }
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Entry(
      path: path, name: name, size: Int(status.st_size),
      used: (status.st_mtim.tv_sec, status.st_mtim.tv_nsec), file: UInt64(status.st_ino))
  }

  /// Whether the cache could have made a file of this name: 32 hexadecimal digits with a picture's extension, or the
  /// temporary name of a file that was never published.
  private static func isOurs(_ name: FilePath) -> Bool {
    if name.bytes.starts(with: NewFile.prefix.utf8) { return true }
    guard name.stem.utf8.count == 32 else { return false }
    let isHash = name.stem.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return isHash && CoverPicture.Format(rawValue: name.pathExtension) != nil
  }
}

/// Why a picture could not be stored. The caller goes on without the file.
package struct ArtCacheError: Error, Equatable, CustomStringConvertible {
  package enum Operation: String, Sendable {
    case makeFolder = "can't make the folder"
    case create = "can't create a file"
    case write = "can't write"
    case rename = "can't rename"
    case fit = "too large a picture"
  }

  /// The file or folder that the operation failed on.
  package let path: FilePath
  package let operation: Operation
  /// The system's error number; zero if the picture is too large for the cache, as no system call failed then.
  package let code: Int32

  /// The text for people: the file or folder, the reason and the remedy.
  package var description: String {
    if operation == .fit { return "\(path): \(operation.rawValue); raise the cache's limit" }
    let remedy = SystemError(code: code).isOfFullDisk ? "free space there, or choose" : "choose"
    return "\(path): \(operation.rawValue): \(String(errno: code)); \(remedy) another cache folder"
  }
}

// Keeps pictures that were made in a requested size. A picture's file name is made from its key, so that a second request needs no decoding.
extension ArtCache {
  /// Identifies a picture by what it was made from: a file in one state, and the requested size.
  package struct Key: Sendable, Hashable {
    fileprivate let name: FilePath

    /// The key of a picture in or beside this file, scaled to `edge` pixels; nil if the file does not exist.
    package init?(_ file: FilePath, edge: Int) {
      guard let held = try? HeldFile(file), held.kind == .file else { return nil }
      // Taggers may keep the time of the last write, and a new picture may fit into the old one's place.
      let state = "\(held.stamp.size) \(held.stamp.modified) \(held.stamp.changed) \(edge) "
      self.init(Array(state.utf8) + file.bytes)
    }

    /// The key of a picture of `edge` pixels that the program drew itself, because the album with this name has none.
    package init?(drawnFor name: String, edge: Int) { self.init(Array("drawn \(edge) \(name)".utf8)) }

    private init?(_ bytes: [UInt8]) {
      guard let name = FilePath(ContentHash(bytes).text + ".png") else { return nil }
      self.name = name
    }
  }

  /// The file of the picture that was stored under a key; nil if there is none, or if it was deleted or damaged since: what was written just before a
  /// power cut may be torn.
  package func kept(_ key: Key) -> FilePath? {
    let path = folder.entry(key.name)
    guard let held = try? HeldFile(path), held.kind == .file, let open = try? held.openFile(),
      PictureCheck(size: open.size, bytes: { (try? open.bytes(at: $0, count: $1)) ?? [] }).format == .png
    else { return nil }
    touch(path)
    return path
  }

  /// Stores a picture under a key, and returns its file. Equal pictures share one file on disk, because all tracks of an album have the same picture.
  package func keep(_ picture: CoverPicture, as key: Key) throws(ArtCacheError) -> FilePath {
    let content = try file(for: picture)
    let path = folder.entry(key.name)
    let isLinked = unsafe content.withCString { from in
      unsafe path.withCString { to in
        unsafe unlink(to)
        return unsafe link(from, to) == 0
      }
    }
    // Some file systems have no hard links. There, a picture can be found by its content only, and is made again each time.
    return isLinked ? path : content
  }
}
