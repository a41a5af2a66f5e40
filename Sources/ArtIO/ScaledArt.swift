// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel

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
