// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel

/// The picture that lies beside sound files: `cover`, `folder`, `front` or `album` as a JPEG, PNG or WebP, in
/// any case.
package enum FolderArt {
  private static let names = ["cover", "folder", "front", "album"]
  private static let extensions = ["jpg", "jpeg", "png", "webp"]

  /// The picture of a folder, the first of the names in the order above; nil where there is none or the folder
  /// can't be read. Lists the folder, so ask once a folder, not once a file. Blocks while the disk works.
  package static func find(in folder: FilePath) -> FilePath? {
    guard var directory = try? HeldFile(folder).openFolder() else { return nil }
    var found: [(rank: Int, name: FilePath)] = []
    while let name = try? directory.next()?.name {
      if let rank = rank(name) { found.append((rank, name)) }
    }
    found.sort {
      $0.rank == $1.rank ? $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) : $0.rank < $1.rank
    }
    return found.lazy.map { folder.entry($0.name) }.first(where: isFile)
  }

  private static func rank(_ name: FilePath) -> Int? {
    guard name.bytes.count <= 16, let stem = names.firstIndex(of: name.stem.lowercased()),
      let suffix = extensions.firstIndex(of: name.pathExtension)
    else { return nil }
    return stem * extensions.count + suffix
  }

  private static func isFile(_ path: FilePath) -> Bool {
    var status = stat()
    let result = unsafe path.withCString { text in unsafe stat(text, &status) }
    return result == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
