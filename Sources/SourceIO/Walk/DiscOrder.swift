// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel

/// The order of an album's tracks.
enum DiscOrder {
  /// The names by disc and track where each file knows its track and all are of one album; nil otherwise,
  /// for a folder of songs from everywhere would come out as all first tracks, then all second ones.
  static func sorted(_ names: [FilePath], in folder: FilePath, _ tagsOf: (FilePath) -> MediaTags?)
    -> [FilePath]?
  {
    var rows: [(place: (Int, Int), name: FilePath)] = []
    var album: String?? = .none
    for name in names {
      guard let tags = tagsOf(folder.entry(name)), let track = tags.track else { return nil }
      if let album, album != tags.album { return nil }
      album = .some(tags.album)
      rows.append(((tags.disc ?? 1, track), name))
    }
    // The names are in their natural order, and so stay those of the same place: the sort is stable.
    return rows.sorted { $0.place < $1.place }.map(\.name)
  }
}
