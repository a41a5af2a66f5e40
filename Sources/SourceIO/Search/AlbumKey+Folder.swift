// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import PlaybackLogic

extension AlbumKey {
  /// The album of a file, judged by its folder: all files of one folder are one album. A folder that is named like a
  /// disc ("CD1") counts as part of the folder above it.
  init(folderOf path: FilePath) {
    self.init(folder: path.parent ?? path)
  }

  init(folder: FilePath) {
    let isDisc = folder.lastComponent.map(Self.isDisc) ?? false
    self.init(hashing: (isDisc ? folder.parent : nil) ?? folder)
  }

  /// The album of a CUE sheet that splits a file. The sheet's title is part of the key, because the file may lie
  /// beside files of other albums.
  init(sheet title: String?, cutting path: FilePath) {
    let folder = AlbumKey(folderOf: path)
    guard let title else {
      self = folder
      return
    }
    self.init(Self.hash(title.utf8, from: folder.rawValue))
  }

  private init(hashing folder: FilePath) { self.init(Self.hash(folder.bytes, from: 0xcbf2_9ce4_8422_2325)) }

  /// Avoids 0, which means that the album isn't known.
  private init(_ hash: UInt64) { self.init(rawValue: hash == 0 ? 1 : hash) }

  /// FNV-1a. The hash must be the same in every run, because the queue is stored on disk.
  private static func hash(_ bytes: some Sequence<UInt8>, from seed: UInt64) -> UInt64 {
    bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Whether a folder is named like a disc: "CD1", "Disc 2", "disk_03" and the like.
  private static func isDisc(_ name: FilePath) -> Bool {
    let name = name.text.lowercased()
    guard let word = ["cd", "disc", "disk"].first(where: { name.hasPrefix($0) }) else { return false }
    let number = name.dropFirst(word.count).drop { " _-.".contains($0) }
    return (1...3).contains(number.utf8.count)
      && number.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}
