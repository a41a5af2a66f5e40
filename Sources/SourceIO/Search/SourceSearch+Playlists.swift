// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import PlaybackLogic
internal import PlaylistModel

extension SourceSearch {
  /// Adds what a playlist names, and expands the playlists and folders in it.
  mutating func add(
    playlist: borrowing OpenFile, _ path: FilePath, _ identity: FileIdentity
  ) throws(SourceError) {
    if playlists.contains(where: { $0.identity == identity }) { return note(path, .loop) }
    guard playlists.count < limits.playlistDepth else { return note(path, .tooDeep(limits.playlistDepth)) }
    try enter(path)
    let before = (found.count, failures)
    guard let reading = try read(playlist, path) else { return }
    for problem in reading.problems { note(path, .badLine(problem.line, problem.reason)) }
    begin(playlist: path, identity)
    try addEntries(of: reading, path)
    endPlaylist()
    if !isFull, (found.count, failures) == before { note(path, .empty) }
  }

  private mutating func addEntries(of reading: PlaylistReading, _ path: FilePath) throws(SourceError) {
    var finder = SheetFinder(sheet: path)
    for entry in reading.playlist.entries where !isFull {
      try step(at: path)
      if reading.format == .cue { try add(track: entry, &finder) } else { try add(listed: entry) }
    }
  }

  private mutating func add(listed entry: PlaylistEntry) throws(SourceError) {
    switch entry.location {
    case .uri(let uri): try add(uri: uri)
    case .file(let path):
      let meant = entry.existing ?? path
      if entry.part == nil {
        try add(meant.withoutParents)
      } else {
        append(part: entry, meant.withoutParents)
      }
    }
  }

  private mutating func add(track entry: PlaylistEntry, _ finder: inout SheetFinder) throws(SourceError) {
    switch entry.location {
    case .uri(let uri): try add(uri: uri)
    case .file(let path):
      var meant = entry.existing
      if meant == nil { meant = try nearest(entry, &finder) }
      append(part: entry, (meant ?? path).withoutParents)
    }
  }

  /// Adds a part of a file, or a whole file that a CUE sheet names. The file's content is not looked at; it is assumed to be sound. If it cannot be
  /// opened, a problem is noted instead.
  private mutating func append(part entry: PlaylistEntry, _ path: FilePath) {
    do {
      let held = try HeldFile(path)
      guard held.kind == .file else { return note(path, .notAFile(held.kind.name)) }
      _ = try held.openFile()
      append(EntrySource(entry, at: path), from: path)
    } catch {
      note(path, error)
    }
  }

  private mutating func read(_ file: borrowing OpenFile, _ path: FilePath) throws(SourceError)
    -> PlaylistReading?
  {
    let bytes: [UInt8]
    do {
      bytes = try file.head(limits.playlistBytes + 1)
    } catch {
      note(path, error)
      return nil
    }
    try step(bytes.count / 64, at: path)
    guard bytes.count <= limits.playlistBytes else {
      note(path, .tooLarge(limits.playlistBytes))
      return nil
    }
    do {
      return try PlaylistReader.read(bytes, of: path)
    } catch {
      note(path, .badPlaylist("not a playlist; M3U, PLS, XSPF and CUE are read"))
      return nil
    }
  }
}

extension PlaylistEntry {
  /// The first of the entry's possible paths that exists; nil if none does. Blocks.
  fileprivate var existing: FilePath? {
    guard case .file(let path) = location else { return nil }
    return ([path] + alternatives).first { (try? HeldFile($0)) != nil }
  }

  /// The entry with the path that is meant. If there is only one possible path, the disk is not asked. Blocks.
  var resolved: PlaylistEntry {
    guard case .file(let path) = location else { return self }
    let meant = alternatives.isEmpty ? path : existing ?? path
    var entry = self
    entry.location = .file(meant.withoutParents)
    return entry
  }
}

/// Finds the files that one CUE sheet names. It caches the last folder and the last answer: the tracks of a sheet are
/// in few files, so the same question comes again and again.
struct SheetFinder {
  /// The folder of the sheet.
  let home: FilePath
  fileprivate var listed: (folder: FilePath, names: SoundNames)?
  fileprivate var last: (asked: FilePath, found: FilePath?)?

  init(sheet: FilePath) { home = sheet.parent ?? sheet }
}

extension SourceSearch {
  /// The file whose name is nearest to the one in a sheet's entry; nil if none is near enough. It looks in the folder
  /// that the entry names, then in the sheet's own folder. Blocks on the disk.
  mutating func nearest(_ entry: PlaylistEntry, _ finder: inout SheetFinder) throws(SourceError) -> FilePath?
  {
    guard case .file(let path) = entry.location else { return nil }
    if let last = finder.last, last.asked == path { return last.found }
    let found = try search([path] + entry.alternatives, &finder)
    finder.last = (path, found)
    return found
  }

  private mutating func search(_ paths: [FilePath], _ finder: inout SheetFinder) throws(SourceError)
    -> FilePath?
  {
    let elsewhere = paths.map { ($0.parent ?? $0, $0) }
    for (folder, path) in elsewhere + paths.map({ (finder.home, $0) }) {
      guard let name = path.lastComponent, let names = try names(in: folder, &finder) else { continue }
      if let match = names.match(name) { return folder.entry(match) }
    }
    return nil
  }

  /// The sound files of a folder; nil if it can't be listed, which is not reported as a problem.
  private mutating func names(in folder: FilePath, _ finder: inout SheetFinder) throws(SourceError)
    -> SoundNames?
  {
    if let listed = finder.listed, listed.folder == folder { return listed.names }
    guard let held = try? HeldFile(folder), held.kind == .folder, var directory = try? held.openFolder()
    else {
      return nil
    }
    var sounds: [FilePath] = []
    while !isFull, sounds.count < limits.namesPerFolder, let (name, hint) = try? directory.next() {
      try step(at: folder)
      if name.looksPlayable, hint == .file || hint == .unknown { sounds.append(name) }
    }
    let names = SoundNames(sounds.sorted { NaturalOrder.precedes($0, $1) })
    finder.listed = (folder, names)
    return names
  }
}
