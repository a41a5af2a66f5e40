// SPDX-License-Identifier: MIT
package import MediaModel

/// What the library writes down of a file: its tags made fit for the tables. Texts are cut to a length that nobody reads
/// beyond, so that no file can fill the library; names are taken once each.
package struct ItemRow: Sendable, Hashable {
  /// A name that an item bears, and what it is sorted by.
  package struct Name: Sendable, Hashable {
    package let text: String
    /// The tagger's own name for sorting; nil if the text itself serves.
    package let sort: String?

    package var key: [UInt8] { OrderKey.bytes(sort ?? text) }
  }

  /// An album. Two albums of one title are told apart by their artist.
  package struct Album: Sendable, Hashable {
    /// The title; nil for what belongs to no album, of which each artist has one.
    package let title: Name?
    /// The first of the album's artists; nil for a compilation.
    package let artist: Name?

    /// Where the album stands on the shelf: by artist, and what is on no album before the albums. Those that gather several
    /// artists stand behind all others.
    package var place: [UInt8] {
      let title = title.map { [1] + $0.key } ?? [0]
      return (artist?.key ?? [0xff]) + [0] + title
    }

    /// The place of what has neither an album nor an artist.
    static let placeOfUnknown = Album(title: nil, artist: nil).place
  }

  /// Bytes of the longest title or name that is kept.
  package static let longestName = 1_000
  package static let longestComment = 16_384
  package static let mostNames = 64

  /// The title, or the file's name where the tags have none.
  package let title: Name
  package let isTitled: Bool
  /// The title folded, as UTF-8.
  package let foldedTitle: [UInt8]
  /// What items are sorted by title by.
  package let titleKey: [UInt8]
  package let album: Album
  /// In the order of `LibraryTables.NameKind.allCases`.
  package let names: [[Name]]
  package let comment: String?

  package init(_ path: FilePath, _ tags: MediaTags) {
    let tagged = tags.title.flatMap { Self.cut($0, Self.longestName) }
    let shown = tagged ?? MediaItem(location: .file(path)).displayTitle
    (title, isTitled) = (Name(text: shown, sort: tagged == nil ? nil : tags.sort.title), tagged != nil)
    foldedTitle = TextFolding.bytes(shown)
    titleKey = title.sort == nil ? OrderKey.bytes(folded: foldedTitle) : title.key
    let artists = Self.names(tags.artist, tags.sort.artist)
    // Without an album artist the artists stand for it, except where an album gathers several.
    let given = Self.names(tags.albumArtist, tags.sort.albumArtist)
    let albumArtists = given.isEmpty && !tags.isCompilation ? artists : given
    let albumTitle = tags.album.flatMap { Self.names([$0], tags.sort.album).first }
    album = Album(title: albumTitle, artist: albumArtists.first)
    names = [
      artists, albumArtists, Self.names(tags.composer, tags.sort.composer), Self.names(tags.genre, nil),
      tags.mediaType == .podcast ? albumTitle.map { [$0] } ?? [] : [],
    ]
    comment = tags.comment.flatMap { Self.cut($0, Self.longestComment) }
  }

  /// A tagger's sort name is that of all values together, so it only serves where there is one.
  private static func names(_ given: [String], _ sort: String?) -> [Name] {
    var texts: [String] = []
    for text in given.prefix(mostNames) {
      guard let text = cut(text, longestName), !texts.contains(where: { $0.utf8.elementsEqual(text.utf8) })
      else { continue }
      texts.append(text)
    }
    return texts.map { Name(text: $0, sort: texts.count == 1 ? sort : nil) }
  }

  /// The text, or as much of it as fits; nil if there is none.
  private static func cut(_ text: String, _ longest: Int) -> String? {
    if text.utf8.count <= longest { return text.isEmpty ? nil : text }
    var rest = text.utf8.prefix(longest)
    while !rest.isEmpty, String(validating: rest, as: UTF8.self) == nil { rest = rest.dropLast() }
    return String(validating: rest, as: UTF8.self)
  }

  /// What is looked through in a search: each text folded and on a line of its own, equal ones once.
  package static func searchText(foldedTitle: [UInt8], _ others: [String]) -> [UInt8] {
    var text = foldedTitle + [UInt8(ascii: "\n")]
    for (index, other) in others.enumerated() {
      // An artist is the album's artist, too, as a rule.
      if others[..<index].contains(where: { $0.utf8.elementsEqual(other.utf8) }) { continue }
      text += TextFolding.bytes(other)
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }

  package var searchText: [UInt8] {
    // A podcast's name is that of its album.
    let others = (album.title.map { [$0.text] } ?? []) + names.dropLast().joined().map(\.text)
    return Self.searchText(foldedTitle: foldedTitle, others)
  }
}
