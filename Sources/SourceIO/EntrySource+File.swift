// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel
package import PlaybackLogic
package import PlaylistModel

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

  /// The album with this hash. A hash of 0 is replaced, because 0 means that the album isn't known.
  private init(_ hash: UInt64) { self.init(rawValue: hash == 0 ? 1 : hash) }

  /// A hash of the bytes (FNV-1a). It must be the same in every run, because the queue is stored on disk.
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

extension EntrySource {
  /// The queue entry for a playlist entry whose file has been found.
  init(_ entry: PlaylistEntry, at path: FilePath) {
    let album = entry.part == nil ? AlbumKey(folderOf: path) : AlbumKey(sheet: entry.album, cutting: path)
    self.init(path.location, span: entry.part.flatMap(CueSpan.init), album: album)
  }
}

extension CueSpan {
  /// The queue's form of a part of a file; nil if the part starts beyond the times that the queue can store.
  package init?(_ part: FilePart) {
    guard let start = UInt32(exactly: part.start.frames) else { return nil }
    self.init(start: start, end: part.end.flatMap { UInt32(exactly: $0.frames) })
  }
}

extension PlaylistEntry {
  /// The playlist entry for an entry of the queue. It has no title; a caller that knows the title adds it.
  package init(_ source: EntrySource) {
    self.init(
      location: FilePath(location: source.location).map { .file($0) } ?? .uri(source.location),
      part: source.span.flatMap(FilePart.init))
  }
}

extension FilePart {
  /// The part of a file that the queue stores as this span.
  package init?(_ span: CueSpan) {
    self.init(start: DiscTime(frames: Int(span.start)), end: span.end.map { DiscTime(frames: Int($0)) })
  }
}
