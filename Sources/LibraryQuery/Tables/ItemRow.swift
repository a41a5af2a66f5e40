// SPDX-License-Identifier: MIT
package import MediaModel

/// The values that the library stores for a file: its tags in the form of the tables. Texts are cut to a sensible length, so that no file can fill
/// the library, and a name that occurs twice is stored once.
package struct ItemRow: Sendable, Hashable {
  /// A name of an item, such as its artist, and the text to sort it by.
  package struct Name: Sendable, Hashable {
    package let text: String
    /// The text that the tags give for sorting by, such as "Beatles, The"; nil if the name itself is used.
    package let sort: String?

    package var key: [UInt8] { OrderKey.bytes(sort ?? text) }
  }

  /// An album. Two albums with the same title are distinguished by their artists.
  package struct Album: Sendable, Hashable {
    /// The title; nil for tracks without an album, which count as one album for each artist.
    package let title: Name?
    /// The first of the album's artists; nil for a compilation.
    package let artist: Name?

    /// The order key of an album on the shelf, made from the keys of its artist and its title. Albums are sorted by artist, and an artist's tracks
    /// without an album, which have no title, come before the albums. Compilations of several artists, which have no artist, come last.
    package static func place(artist: [UInt8]?, title: [UInt8]?) -> [UInt8] {
      (artist ?? [0xff]) + [0] + (title.map { [1] + $0 } ?? [0])
    }

    /// Its order key on the shelf, if all that is known of its artist and its title is what the tags of this file say.
    var place: [UInt8] { Self.place(artist: artist?.key, title: title?.key) }

    /// The order key of tracks that have neither an album nor an artist.
    static let placeOfUnknown = place(artist: nil, title: nil)
  }

  /// The longest title or name that is stored, in bytes.
  package static let longestName = 1_000
  package static let longestComment = 16_384
  package static let mostNames = 64

  /// The title, or the file's name if the tags have none.
  package let title: Name
  package let isTitled: Bool
  /// The title without capitals and accents, for searches, as UTF-8.
  package let foldedTitle: [UInt8]
  /// Bytes that stand for the title when items are sorted.
  package let titleKey: [UInt8]
  /// Bytes by which the track is sorted beside others without numbers: of its title if it has no album, of its file's name on an album. Nil for a track of
  /// an album that has a number.
  package let unnumberedKey: [UInt8]?
  package let album: Album
  /// The names by kind, in the order of `LibraryTables.NameKind.allCases`.
  package let names: [[Name]]
  package let comment: String?

  package init(_ path: FilePath, _ tags: MediaTags) {
    let tagged = tags.title.flatMap { Self.cut($0, Self.longestName) }
    let shown = tagged ?? MediaItem(location: .file(path)).displayTitle
    (title, isTitled) = (Name(text: shown, sort: tagged == nil ? nil : tags.sort.title), tagged != nil)
    foldedTitle = TextFolding.bytes(shown)
    titleKey = title.sort == nil ? OrderKey.bytes(folded: foldedTitle) : title.key
    let artists = Self.names(tags.artist, tags.sort.artist)
    // Without an album artist the track's artists are used, except on a compilation.
    let given = Self.names(tags.albumArtist, tags.sort.albumArtist)
    let albumArtists = given.isEmpty && !tags.isCompilation ? artists : given
    let albumTitle = tags.album.flatMap { Self.names([$0], tags.sort.album).first }
    album = Album(title: albumTitle, artist: albumArtists.first)
    unnumberedKey = albumTitle == nil ? titleKey : tags.track == nil ? Self.fileKey(path) : nil
    names = [
      artists, albumArtists, Self.names(tags.composer, tags.sort.composer), Self.names(tags.genre, nil),
      tags.mediaType == .podcast ? albumTitle.map { [$0] } ?? [] : [],
    ]
    comment = tags.comment.flatMap { Self.cut($0, Self.longestComment) }
  }

  /// Bytes that stand for the file at this path when files of an album are sorted: by the name of its folder, as each disc may have one, and by its own.
  package static func fileKey(_ path: FilePath) -> [UInt8] {
    let folder = path.parent.map { OrderKey.bytes(String(decoding: $0.nameBytes, as: UTF8.self)) } ?? []
    return folder + [0] + OrderKey.bytes(MediaItem(location: .file(path)).displayTitle)
  }

  /// The names, each with its text for sorting. The tags have one such text for all values together, so it can only be used for a single value.
  private static func names(_ given: [String], _ sort: String?) -> [Name] {
    var texts: [String] = []
    for text in given.prefix(mostNames) {
      guard let text = cut(text, longestName), !texts.contains(where: { $0.utf8.elementsEqual(text.utf8) })
      else { continue }
      texts.append(text)
    }
    return texts.map { Name(text: $0, sort: texts.count == 1 ? sort : nil) }
  }

  /// The text, cut to `longest` bytes; nil if it is empty.
  private static func cut(_ text: String, _ longest: Int) -> String? {
    if text.utf8.count <= longest { return text.isEmpty ? nil : text }
    var rest = text.utf8.prefix(longest)
    while !rest.isEmpty, String(validating: rest, as: UTF8.self) == nil { rest = rest.dropLast() }
    return String(validating: rest, as: UTF8.self)
  }

  /// The text in which a search looks for words: the title and the other names, each folded (without capitals and accents) and on a line of its own,
  /// without duplicates.
  package static func searchText(foldedTitle: [UInt8], _ others: [String]) -> [UInt8] {
    var text = foldedTitle + [UInt8(ascii: "\n")]
    for (index, other) in others.enumerated() {
      // The album's artist is usually the same as the artist.
      if others[..<index].contains(where: { $0.utf8.elementsEqual(other.utf8) }) { continue }
      text += TextFolding.bytes(other)
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }

  package var searchText: [UInt8] {
    // A podcast's name is the title of its album, so it is not added again.
    let others = (album.title.map { [$0.text] } ?? []) + names.dropLast().joined().map(\.text)
    return Self.searchText(foldedTitle: foldedTitle, others)
  }
}
