// SPDX-License-Identifier: MIT
import ArtIO
import MediaModel
import PlaybackLogic
import PlaylistModel
import ReaderIO
import ReaderModel
import SourceIO

// Makes items of what is read in files, and of what the queue itself knows. All of this may run on any thread.
extension ItemService {
  /// Reads the tags and the picture of a file. Blocks. If the tags cannot be read, there are none; whether the file plays is up to
  /// its decoder.
  nonisolated static func read(
    _ path: FilePath, _ span: CueSpan?, _ reader: ReaderClient, _ titles: SheetTitles, _ cache: ArtCache?,
    _ parts: PartFindings
  ) -> Known {
    let read = { FileFindings(of: path, by: reader, cache) }
    let found = span == nil ? read() : parts.findings(of: path, reader.charset, by: read)
    let item = MediaItem(
      location: .file(path), part: span.flatMap(FilePart.init),
      tags: Self.tags(found.tags?.tags ?? MediaTags(), of: path, span, titles))
    return Known(
      item: item, artURL: found.artURL,
      unplayable: found.hindrance == .disk ? nil : refusal(found.tags, path),
      areTagsRead: found.tags != nil, origin: found.origin, isWorthAnotherTry: found.hindrance != nil)
  }

  /// These items with their numbers, ratings and counts in the library, as far as they are in it. Blocks.
  nonisolated static func listed(_ items: [Known], _ listings: Listings?) -> [Known] {
    let sources = items.map { ItemSource(path(of: $0.item) ?? root, part: $0.item.part) }
    guard let found = listings?(sources) else { return items }
    return zip(items, found).map { item, listing in
      var item = item
      item.adopt(listing)
      return item
    }
  }

  nonisolated static let root: FilePath = "/"

  /// Why a file can't be played; nil if it can. The file is opened only if its tags tell no length, because then it may be no sound. Blocks.
  nonisolated static func refusal(_ tags: FileTags?, _ path: FilePath) -> String? {
    tags?.tags.duration == nil ? SoundOpener.refusal(of: path.location) : nil
  }

  /// The items of those entries that are files, with their tags but without pictures. Blocks.
  nonisolated static func tagged(
    _ entries: ArraySlice<Entry>, _ reader: ReaderClient, _ titles: SheetTitles
  ) -> [(EntryID, Known)] {
    let files = entries.compactMap { entry in path(entry).map { (entry, $0) } }
    return zip(files, reader.read(files.map(\.1))).map { file, result in
      let (entry, path) = file
      let found = try? result.get()
      let tags = tags(found?.tags ?? MediaTags(), of: path, entry.span, titles)
      let item = MediaItem(location: .file(path), part: entry.span.flatMap(FilePart.init), tags: tags)
      return (entry.id, Known(item: item, unplayable: refusal(found, path), areTagsRead: found != nil))
    }
  }

  /// The tags of a file, or of a part of it. For a part, the cue sheet counts first, and the file's own tags where the sheet says
  /// nothing. For a whole file it is the other way round.
  nonisolated static func tags(
    _ tags: MediaTags, of path: FilePath, _ span: CueSpan?, _ titles: SheetTitles
  ) -> MediaTags {
    guard let span else { return completed(tags, of: path, titles) }
    var part = titles.entry(of: path, span)?.tagsOfPart(tags) ?? tags
    part.duration = span.length(in: tags.duration)
    return part
  }

  nonisolated static func completed(
    _ tags: MediaTags, of path: FilePath, _ titles: SheetTitles
  ) -> MediaTags {
    guard tags.title == nil || tags.artist.isEmpty || tags.album == nil else { return tags }
    return titles.entry(ofWhole: path)?.completing(tags) ?? tags
  }

  /// The item of an entry before its file is read: only what the queue itself knows.
  nonisolated static func unread(_ entry: Entry) -> Known {
    var item = MediaItem(location: location(entry), part: entry.span.flatMap(FilePart.init))
    if let span = entry.span { item.tags.duration = span.length(in: nil) }
    return Known(item: item)
  }

  nonisolated static func path(_ entry: Entry) -> FilePath? { path(entry.location) }

  /// The file at a location; nil for the built-in tune.
  nonisolated static func path(_ text: String) -> FilePath? {
    text == Tune.location ? nil : FilePath(location: text)
  }

  /// The file of an item; nil for the built-in tune.
  nonisolated static func path(of item: MediaItem) -> FilePath? {
    if case .file(let path) = item.location { path } else { nil }
  }

  /// The location of an entry: a file, as a rule; a URI for the built-in tune.
  nonisolated static func location(_ entry: Entry) -> MediaLocation { location(entry.location) }

  nonisolated static func location(_ text: String) -> MediaLocation {
    path(text).map { .file($0) } ?? .uri(text)
  }
}
