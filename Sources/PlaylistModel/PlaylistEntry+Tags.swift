// SPDX-License-Identifier: MIT
package import MediaModel

// What a playlist says of a file, put together with what the file says of itself.
extension PlaylistEntry {
  /// The tags of the part that this entry cuts out of a file: the entry's, and the file's where it says nothing. What concerns the file as one track, such
  /// as its length, its lyrics and its tempo, is not taken from it.
  package func tagsOfPart(_ file: MediaTags) -> MediaTags {
    var tags = file
    tags.title = title ?? file.title ?? track.map { "Track \($0)" }
    tags.artist = performer.map { [$0] } ?? file.artist
    // A book's title stands for its album, where it has none.
    tags.album = album ?? file.album ?? file.title
    tags.albumArtist = albumPerformer.map { [$0] } ?? file.albumArtist
    tags.genre = genre.map { [$0] } ?? file.genre
    tags.date = date ?? file.date
    (tags.track, tags.disc) = (track ?? file.track, disc ?? file.disc)
    // What counts or describes the file as one track says nothing of its parts.
    (tags.trackCount, tags.lyrics, tags.bpm) = (nil, nil, nil)
    if let part { tags.duration = part.duration(in: file.duration) }
    tags.sort = SortNames(
      artist: tags.artist == file.artist ? file.sort.artist : nil,
      album: tags.album == file.album ? file.sort.album : nil,
      albumArtist: tags.albumArtist == file.albumArtist ? file.sort.albumArtist : nil,
      composer: file.sort.composer)
    return tags
  }

  /// The tags of a whole file, completed by what this entry says where they say nothing.
  package func completing(_ file: MediaTags) -> MediaTags {
    var tags = file
    tags.title = file.title ?? title
    if file.artist.isEmpty, let performer { tags.artist = [performer] }
    tags.album = file.album ?? album
    if file.album == nil, file.albumArtist.isEmpty, let albumPerformer { tags.albumArtist = [albumPerformer] }
    if file.genre.isEmpty, let genre { tags.genre = [genre] }
    tags.date = file.date ?? date
    (tags.track, tags.disc) = (file.track ?? track, file.disc ?? disc)
    return tags
  }
}

extension FilePart {
  /// How long the part is in a file of this length; nil if that can't be told, or if the part begins behind the file's end.
  package func duration(in file: Duration?) -> Duration? {
    let start = start.duration
    let end = [end?.duration, file].compactMap { $0 }.min()
    return end.flatMap { $0 > start ? $0 - start : nil }
  }
}
