// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel

/// The picture in a folder of sound files: a file named `cover`, `folder`, `front` or `album`, as a JPEG, PNG or WebP, in upper or lower case. A file
/// that is no picture, or not a complete one, is skipped.
package enum FolderArt {
  private static let names = ["cover", "folder", "front", "album"]
  private static let extensions = ["jpg", "jpeg", "png", "webp"]

  /// The path of the first of the `pictures` in a folder; nil if there is none. Blocks on the disk.
  package static func find(in folder: FilePath) -> FilePath? { pictures(in: folder).first { _ in true } }

  /// The paths of the complete pictures in a folder, in the order cover, folder, front, album; each is looked at when it is asked for. Empty if there
  /// are none or the folder can't be read. Lists the folder, so call it once for a folder and not for each file. Blocks on the disk.
  package static func pictures(in folder: FilePath) -> some Sequence<FilePath> {
    names(in: folder).lazy.map { folder.entry($0) }.filter(isPicture)
  }

  private static func names(in folder: FilePath) -> [FilePath] {
    guard var directory = try? HeldFile(folder).openFolder() else { return [] }
    var found: [(rank: Int, name: FilePath)] = []
    while let name = try? directory.next()?.name {
      if let rank = rank(name) { found.append((rank, name)) }
    }
    found.sort {
      $0.rank == $1.rank ? $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) : $0.rank < $1.rank
    }
    return found.map(\.name)
  }

  /// Whether the file is a complete picture. Only its headers and its end are read.
  private static func isPicture(_ path: FilePath) -> Bool {
    guard let file = try? OpenFile(path) else { return false }
    return PictureCheck(size: file.size) { (try? file.bytes(at: $0, count: $1)) ?? [] }.format != nil
  }

  private static func rank(_ name: FilePath) -> Int? {
    guard name.bytes.count <= 16, let stem = names.firstIndex(of: name.stem.lowercased()),
      let suffix = extensions.firstIndex(of: name.pathExtension)
    else { return nil }
    return stem * extensions.count + suffix
  }
}
