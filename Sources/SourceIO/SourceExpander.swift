// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel
package import PlaybackLogic
package import PlaylistModel

/// Turns named sources (files, folders, playlists) into queue entries. Folders are expanded in natural order.
///
/// It holds no mutable state and may be used from any thread. Expanding blocks on the disk, possibly for long, so it
/// belongs on a worker thread, never on the loop.
package struct SourceExpander: Sendable {
  /// The folder at which relative paths start; absolute.
  package let base: FilePath
  package var limits = SourceLimits()
  /// Finds out where files stand on their albums: one answer for each, in order; nil for a file of which that cannot be known. With it, small folders
  /// are ordered by disc and track; without it, by name. Blocks.
  package var placesOf: (@Sendable ([FilePath]) -> [TrackPlace?])?
  /// The character set of lists and sheets that are not UTF-8, by its name in the C library; nil for that of Windows in the West.
  package var charset: String?
  /// Checks a file whose extension is not that of a sound file. Returns the reason why it cannot be played, or nil if
  /// it can. Without this closure all such files are taken. Blocks.
  package var refusal: (@Sendable (FilePath) -> String?)?

  /// An expander that resolves relative names against a folder. Traps if that folder's path is relative.
  package init(
    base: FilePath, charset: String? = nil, placesOf: (@Sendable ([FilePath]) -> [TrackPlace?])? = nil,
    refusal: (@Sendable (FilePath) -> String?)? = nil
  ) {
    precondition(base.isAbsolute, "relative to what: \(base)")
    (self.base, self.charset, self.placesOf, self.refusal) = (base, charset, placesOf, refusal)
  }

  /// Turns the requests into queue entries, in their order. `progress` is called for every folder and playlist, and `isCancelled` at each of these
  /// and every few hundred steps; both on the calling thread. Blocks.
  /// - Throws: if it was cancelled or nothing plays. If something plays, whatever else fails is reported as a
  ///   problem.
  package func expand(
    _ requests: [SourceRequest], progress: @escaping (SourceProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) throws(SourceError) -> SourceExpansion {
    var search = SourceSearch(self, progress: progress, isCancelled: isCancelled)
    for request in requests where !search.isFull { try search.add(request, base: base) }
    guard search.found.isEmpty else { return search.expansion }
    throw search.nothing
  }
}

/// A source as a person or a bus client named it, before anything is looked up.
package enum SourceRequest: Sendable, Hashable {
  /// A file, a folder or a playlist. A relative path starts at the expander's base.
  case path(FilePath)
  /// A URI. Only `file:` URIs name something playable.
  case uri(String)
  /// A part of a sound file, at an absolute path, and the album that it is of.
  case part(FilePath, FilePart, album: String?)

  /// The file, or the part of a file, that an item of the library is.
  package init(_ source: ItemSource) {
    self = source.part.map { .part(source.path, $0, album: source.album) } ?? .path(source.path)
  }

  /// Reads a word of a command line or a line of a list. Text that begins with a scheme and `//`, or with `file:`, is
  /// a URI; everything else is a path. Nil for an empty text and for a path that contains a NUL.
  package init?(written: some Collection<UInt8>) {
    if MediaLocation.scheme(of: written) != nil {
      self = .uri(String(decoding: written, as: UTF8.self))
    } else {
      guard let path = FilePath(written) else { return nil }
      self = .path(path)
    }
  }
}

/// The limits of what one call of `SourceExpander.expand` reads and returns. Sources beyond a limit are left out and reported as a problem. So the
/// memory and time that it takes are bounded, whatever the files contain.
package struct SourceLimits: Sendable, Hashable {
  /// The most queue entries that are made.
  package var entries = 1_000_000
  /// The most steps in total. Each name in a folder is one step, and so is each line of a playlist and every 64 bytes
  /// of one.
  package var steps = 20_000_000
  /// The most usable names from one folder. They are held in memory while the folder is sorted.
  package var namesPerFolder = 1_000_000
  /// How deep folders may be nested.
  package var folderDepth = 64
  /// How deep playlists may be nested.
  package var playlistDepth = 8
  /// The largest playlist that is read, in bytes.
  package var playlistBytes = PlaylistReader.largestFile
  /// The largest CUE sheet that is read when it was only found in a folder and not named by the user, in bytes.
  package var sheetBytes = 1 << 20
  /// If a folder has more sound files than this, their tags are not read and they are ordered by name.
  package var taggedFiles = 300
  /// How many files in folders that are not played are opened, only to name their kind in a message. Further ones are judged by their names.
  package var looks = 200
  /// The most sources that were left out whose reasons are kept. Further ones are only counted.
  package var problems = 1_000

  package init() {}
}

/// The queue entries that sources were turned into, and what was left out.
package struct SourceExpansion: Sendable, Hashable {
  /// The entries to queue, in order; never empty.
  package internal(set) var entries: [EntrySource]
  /// The sources that were left out, with the reasons, in the order in which they were found.
  package internal(set) var problems: [SourceProblem]
  /// How many problems there were beyond those that were kept.
  package internal(set) var furtherProblems: Int
  /// The files in folders that were left out because they are not played, by kind.
  package internal(set) var unplayed: UnplayedFiles
  /// One sentence for each source that could not even be turned into files, such as a playlist that does not exist. The expansion leaves this
  /// empty; whoever looked the sources up puts them in.
  package var unknown: [String] = []
}

/// The numbers of files that folders left out because they are not played, by kind.
package struct UnplayedFiles: Sendable, Hashable {
  private var counts: [String: Int] = [:]

  /// The most kinds that are counted separately; files of further kinds are counted together.
  private static let mostKinds = 32
  /// The most kinds that are named in a message.
  private static let mostNames = 6

  /// The number of all files that were left out.
  package var count: Int { counts.values.reduce(0, +) }

  mutating func count(_ kind: String) {
    let isKnown = counts[kind] != nil || counts.count < Self.mostKinds
    counts[isKnown ? kind : Self.others, default: 0] += 1
  }

  private static let others = "other kinds"

  /// The files that were counted since this value was `former`; nil if there are none.
  func since(_ former: Self) -> Self? {
    var since = Self()
    for (kind, count) in counts {
      let new = count - former.counts[kind, default: 0]
      if new > 0 { since.counts[kind] = new }
    }
    return since.counts.isEmpty ? nil : since
  }

  /// The kinds, the most frequent first: "AAC in MP4 (2), Monkey's Audio, WavPack are not played".
  package var text: String {
    let films = counts.filter { FileContent.isPlayedByName($0.key) }
    let others = counts.filter { films[$0.key] == nil }
    return [Self.text(others, "not played"), Self.text(films, "played only where the file itself is named")]
      .compactMap(\.self).joined(separator: "; ")
  }

  private static func text(_ counts: [String: Int], _ predicate: String) -> String? {
    guard !counts.isEmpty else { return nil }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var names = kinds.prefix(mostNames).map(name)
    let further = kinds.dropFirst(mostNames).reduce(0) { $0 + $1.value }
    if further > 0 { names.append("and \(further) more") }
    let isOne = counts.values.reduce(0, +) == 1
    return names.joined(separator: ", ") + (isOne ? " is " : " are ") + predicate
  }

  private static func name(_ kind: String, _ count: Int) -> String {
    guard kind == FileContent.unknownKind else { return count > 1 ? "\(kind) (\(count))" : kind }
    return count > 1 ? "\(count) files of unknown kinds" : "a file of \(kind)"
  }

  /// The whole message; nil if there are none.
  package var message: String? { counts.isEmpty ? nil : "left out \(count): \(text)" }
}

/// How far turning sources into queue entries has come.
package struct SourceProgress: Sendable, Hashable {
  /// How many entries were found so far.
  package let entries: Int
  /// The folder or playlist that is about to be read.
  package let current: FilePath
}

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
