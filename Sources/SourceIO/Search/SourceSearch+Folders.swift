// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel
internal import PlaybackLogic
internal import PlaylistModel

extension SourceSearch {
  /// Adds the files in a folder that play: first its own files, then those of the folders in it, so that an album's own songs stay together.
  mutating func add(folder: borrowing HeldFile, _ path: FilePath, depth: Int) throws(SourceError) {
    guard !visited.contains(folder.identity) else { return }
    guard depth < limits.folderDepth else { return note(path, .tooDeep(limits.folderDepth)) }
    visit(folder.identity)
    try enter(path)
    var directory: Directory
    do { directory = try folder.openFolder() } catch { return note(path, error) }
    let listing = try list(&directory, path)
    try addSounds(listing, path, directory.descriptor)
    for name in listing.folders where !isFull {
      try addInner(name, path.entry(name), directory.descriptor, depth: depth + 1)
    }
  }

  private mutating func addInner(
    _ name: FilePath, _ path: FilePath, _ folder: Int32, depth: Int
  ) throws(SourceError) {
    let held: HeldFile
    do { held = try HeldFile(name, in: folder) } catch { return note(path, error) }
    // The folder may have been replaced by something else since the listing.
    if held.kind == .folder { try add(folder: held, path, depth: depth) }
  }

  private mutating func addSounds(
    _ listing: FolderListing, _ folder: FilePath, _ descriptor: Int32
  ) throws(SourceError) {
    guard !listing.sounds.isEmpty else { return }
    let cuts = try cuts(listing, folder, descriptor)
    let album = AlbumKey(folder: folder)
    for name in try ordered(listing.sounds, folder) {
      let path = folder.entry(name)
      if let tracks = cuts[name] {
        for track in tracks { append(track, from: path) }
      } else if path.bytes.count >= PATH_MAX {
        note(path, .unreadable(ENAMETOOLONG))
      } else {
        append(sound: path, album)
      }
    }
  }

  private mutating func ordered(_ names: [FilePath], _ folder: FilePath) throws(SourceError) -> [FilePath] {
    guard let placesOf = expander.placesOf, (2...max(2, limits.taggedFiles)).contains(names.count) else {
      return names
    }
    try enter(folder)
    return DiscOrder.sorted(names, in: folder, placesOf) ?? names
  }

  /// Lists an open folder, without hidden names and names that can't be used.
  mutating func list(_ directory: inout Directory, _ path: FilePath) throws(SourceError) -> FolderListing {
    var listing = FolderListing()
    while !isFull {
      do throws(SystemError) {
        guard let (name, hint) = try directory.next() else { break }
        if listing.count >= limits.namesPerFolder {
          note(path, .tooLong(limits.namesPerFolder))
          break
        }
        if name.bytes[0] != UInt8(ascii: ".") { sort(name, hint, path, directory.descriptor, &listing) }
      } catch {
        note(path, error)
        break
      }
      try step(at: path)
    }
    listing.sort()
    return listing
  }

  private mutating func sort(
    _ name: FilePath, _ hint: Directory.Hint, _ folder: FilePath, _ descriptor: Int32,
    _ listing: inout FolderListing
  ) {
    let isSheet = name.pathExtension == "cue"
    switch hint {
    case .folder: listing.folders.append(name)
    case .file where isSheet: listing.sheets.append(name)
    case .file where name.looksPlayable: listing.sounds.append(name)
    case .file: leaveOut(name, descriptor)
    case .other, .link, .unknown:
      let isWanted = isSheet || name.looksPlayable
      do {
        let kind = try HeldFile(name, in: descriptor).kind
        switch kind {
        case .file, .folder: sort(name, kind == .file ? .file : .folder, folder, descriptor, &listing)
        case .pipe, .socket, .device: if isWanted { note(folder.entry(name), .notAFile(kind.name)) }
        }
      } catch {
        if isWanted { note(folder.entry(name), error) }
      }
    }
  }
}

// Counts the files that a folder leaves out.
extension SourceSearch {
  /// Counts a file that is not played, unless nobody expects sound in it. The file is opened only if its name doesn't tell that.
  private mutating func leaveOut(_ name: FilePath, _ folder: Int32) {
    guard !name.isBesideMusic, PlaylistFormat(name: name) == nil else { return }
    var head: [UInt8]?
    if looks < limits.looks, !name.looksForeign {
      looks += 1
      head = try? HeldFile(name, in: folder).head(of: .file)
    }
    if let kind = FileContent.leftOut(name, head: head) { unplayed.count(kind) }
  }
}

extension HeldFile {
  /// The beginning of the file; nil if it is of another kind.
  fileprivate func head(of kind: FileKind) throws(SystemError) -> [UInt8]? {
    self.kind == kind ? try openFile().head(FileContent.headSize) : nil
  }
}

extension FilePath {
  /// Whether the name ends like those of files that usually lie beside music and have no sound, such as covers.
  fileprivate var isBesideMusic: Bool { Self.besideMusic.contains(pathExtension) }

  private static let besideMusic = Set(
    """
    jpg jpeg jpe jfif png gif webp bmp tif tiff svg ico avif heic psd pdf txt text md rtf doc docx odt htm html xml json yaml csv \
    log nfo lrc srt sub ass cue md5 sha1 sha256 sfv ffp accurip url lnk desktop ini db sqlite dat tmp part torrent bak zip rar 7z gz \
    xz bz2 tar iso exe dll sh py peak pek asd reapeaks sfk
    """.split(separator: " ").map(String.init))
}

/// The usable names of one folder, without their path. After `sort` they are in natural order.
struct FolderListing {
  var sounds: [FilePath] = []
  var folders: [FilePath] = []
  var sheets: [FilePath] = []

  var count: Int { sounds.count + folders.count + sheets.count }

  mutating func sort() {
    sounds = NaturalOrder.sorted(sounds)
    folders = NaturalOrder.sorted(folders)
    sheets = NaturalOrder.sorted(sheets)
  }
}

/// The order of an album's tracks.
enum DiscOrder {
  /// How many files are asked about at a time: an album, as a rule. Among unrelated songs the first few tell that they are no album.
  private static let atOnce = 32

  /// Sorts the names by disc and track if every file has a track number and all are of one album; nil otherwise. In a
  /// folder of unrelated songs, that order would put all first tracks first, then all second ones. The same goes for several discs whose tags don't
  /// tell which is which: there the names may.
  static func sorted(
    _ names: [FilePath], in folder: FilePath, _ placesOf: ([FilePath]) -> [TrackPlace?]
  ) -> [FilePath]? {
    var rows: [(place: (Int, Int), name: FilePath)] = []
    var album: String?? = .none
    var (tracks, hasDiscs, isTwice) = (Set<Int>(), false, false)
    while rows.count < names.count {
      let some = names[rows.count...].prefix(atOnce)
      let places = placesOf(some.map { folder.entry($0) })
      guard places.count == some.count else { return nil }
      for (name, place) in zip(some, places) {
        guard let place, let track = place.track else { return nil }
        if let album, album != place.album { return nil }
        album = .some(place.album)
        hasDiscs = hasDiscs || place.disc != nil
        isTwice = !tracks.insert(track).inserted || isTwice
        rows.append(((place.disc ?? 1, track), name))
      }
    }
    if isTwice, !hasDiscs { return nil }
    // The sort is stable, and the names come in natural order, so names with the same disc and track stay in natural
    // order.
    return rows.sorted { $0.place < $1.place }.map(\.name)
  }
}
