// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel

/// The order of an album's tracks.
enum DiscOrder {
  /// Sorts the names by disc and track if every file has a track number and all are of one album; nil otherwise. In a
  /// folder of unrelated songs, that order would put all first tracks first, then all second ones.
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
    // The sort is stable, and the names come in natural order, so names with the same disc and track stay in natural
    // order.
    return rows.sorted { $0.place < $1.place }.map(\.name)
  }
}
