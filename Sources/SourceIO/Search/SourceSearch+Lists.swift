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
    var speller = Speller()
    for entry in reading.playlist.entries where !isFull {
      try step(at: path)
      if reading.format == .cue { try add(track: entry, &finder) } else { try add(listed: entry, &speller) }
    }
  }

  private mutating func add(listed entry: PlaylistEntry, _ speller: inout Speller) throws(SourceError) {
    switch entry.location {
    case .uri(let uri): try add(uri: uri)
    case .file(let path):
      var meant = path
      if let existing = entry.existing {
        meant = existing
      } else if let other = try spelledOtherwise([path] + entry.alternatives, &speller) {
        meant = other
      } else if isFull {
        return
      }
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
      return try PlaylistReader.read(bytes, of: path, in: expander.charset)
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
      if name.looksPlayable, [.file, .link, .unknown].contains(hint) { sounds.append(name) }
    }
    let names = SoundNames(NaturalOrder.sorted(sounds))
    finder.listed = (folder, names)
    return names
  }
}

/// Finds names that a list spells in another way than the disk. It caches the folders that it has listed: the entries of a list are in few.
struct Speller {
  /// As many names are kept; with more, the folders that were listed are forgotten.
  fileprivate static let most = 200_000
  /// The names in each folder, by a spelling in which they are equal to others: in small letters. Texts are equal whether an accent is part of a letter
  /// or stands behind it.
  fileprivate var listed: [FilePath: [String: FilePath]] = [:]
  fileprivate var count = 0
}

extension SourceSearch {
  /// The first of these paths that exists with other capitals, which are the same on Windows, or with letters and accents together that macOS writes
  /// apart; nil if none does. Blocks on the disk.
  private mutating func spelledOtherwise(
    _ paths: [FilePath], _ speller: inout Speller
  ) throws(SourceError) -> FilePath? {
    for path in paths { if let found = try spelledOtherwise(path, &speller) { return found } }
    return nil
  }

  private mutating func spelledOtherwise(
    _ path: FilePath, _ speller: inout Speller
  ) throws(SourceError) -> FilePath? {
    var found: FilePath = "/"
    for part in path.withoutParents.bytes.split(separator: UInt8(ascii: "/")) {
      guard let name = FilePath(Array(part)) else { return nil }
      let next = found.entry(name)
      if !next.isMissing {
        found = next
      } else if let other = try names(in: found, &speller)[name.text.lowercased()] {
        found = found.entry(other)
      } else {
        return nil
      }
    }
    return found
  }

  /// The names in a folder; none if it can't be listed.
  private mutating func names(
    in folder: FilePath, _ speller: inout Speller
  ) throws(SourceError) -> [String: FilePath] {
    if let names = speller.listed[folder] { return names }
    var names: [String: FilePath] = [:]
    if let held = try? HeldFile(folder), held.kind == .folder, var directory = try? held.openFolder() {
      while !isFull, names.count < limits.namesPerFolder, let (name, _) = try? directory.next() {
        try step(at: folder)
        // Of several names that differ in capitals only, always the same one is found.
        let text = name.text.lowercased()
        if names[text].map({ name.text < $0.text }) ?? true { names[text] = name }
      }
    }
    if speller.count + names.count > Speller.most { speller = Speller() }
    speller.listed[folder] = names
    speller.count += names.count + 1
    return names
  }
}

extension SourceSearch {
  /// The tracks of each file that a CUE sheet in the same folder splits into two tracks or more, by the name of the
  /// file. If several sheets split a file, the first one counts. A sheet that fits no file is ignored without a
  /// problem, because nobody asked for it.
  mutating func cuts(
    _ listing: FolderListing, _ folder: FilePath, _ descriptor: Int32
  ) throws(SourceError) -> [FilePath: [EntrySource]] {
    guard !listing.sheets.isEmpty else { return [:] }
    let names = SoundNames(listing.sounds)
    var cuts: [FilePath: [EntrySource]] = [:]
    for sheet in listing.sheets.prefix(SheetFolder.mostSheets) {
      try enter(folder.entry(sheet))
      guard let bytes = try? HeldFile(sheet, in: descriptor).sheet(limits.sheetBytes) else { continue }
      try step(bytes.count / 64, at: folder)
      let entries = Self.entries(of: bytes, folder.entry(sheet), in: expander.charset)
      let tracks = Dictionary(grouping: entries) { names.match(sheetEntry: $0, in: folder) }
      for case (let name?, let entries) in tracks where entries.count > 1 && cuts[name] == nil {
        cuts[name] = entries.map { EntrySource($0, at: folder.entry(name)) }
      }
    }
    return cuts
  }

  /// The entries of a CUE sheet; none if the file is something else. What is not UTF-8 is in this character set.
  static func entries(of bytes: [UInt8], _ sheet: FilePath, in charset: String?) -> [PlaylistEntry] {
    guard let reading = try? PlaylistReader.read(bytes, of: sheet, in: charset), reading.format == .cue else {
      return []
    }
    return reading.playlist.entries
  }
}

extension PlaylistReader {
  /// Reads a playlist on this machine. What is not UTF-8 is in this character set.
  fileprivate static func read(
    _ bytes: [UInt8], of file: FilePath, in charset: String?
  ) throws(PlaylistError) -> PlaylistReading {
    let legacy = charset.map { LegacyText(charset: $0) }
    return try read(bytes, of: file, host: FilePath.thisHost, legacy: legacy.map { $0.text })
  }
}

extension HeldFile {
  /// The whole of a CUE sheet that was found in a folder; nil if it is no file, can't be read or is longer than this limit.
  func sheet(_ limit: Int) -> [UInt8]? {
    guard kind == .file, let bytes = try? openFile().head(limit + 1), bytes.count <= limit else { return nil }
    return bytes
  }
}

extension SoundNames {
  /// The file in this folder that a sheet's entry means; nil if the entry means a file elsewhere. A path that begins as on another system is looked for
  /// here by its name.
  func match(sheetEntry entry: PlaylistEntry, in folder: FilePath) -> FilePath? {
    guard case .file(let path) = entry.location else { return nil }
    let paths = [path] + entry.alternatives
    let here = paths.filter { entry.isForeign || $0.parent == folder }.compactMap(\.lastComponent)
    return here.lazy.compactMap { match($0) }.first
  }
}

extension PlaylistEntry {
  /// Whether the path is written as on another system: with a drive, or from a root that is a backslash.
  fileprivate var isForeign: Bool {
    let backslash = UInt8(ascii: "\\")
    if written.first == backslash { return true }
    let isLetter = written.first.map { (0x41...0x5a).contains($0 & 0xdf) } ?? false
    return isLetter && written.count > 2 && written[1] == UInt8(ascii: ":")
      && [backslash, UInt8(ascii: "/")].contains(written[2])
  }

  /// Whether this file is one of the paths that the entry may mean as it is written.
  func mayMean(_ file: FilePath) -> Bool {
    guard case .file(let path) = location else { return false }
    return path == file || alternatives.contains(file)
  }
}

/// The sound files of a folder, which can be found by approximate names. Many CUE sheets were written on systems that
/// ignore case, or name a `.wav` that has since been converted to `.flac`.
struct SoundNames {
  private var exact: Set<FilePath> = []
  private var folded: [String: FilePath] = [:]
  private var stems: [String: FilePath] = [:]

  /// If several names differ only in case, the first one is found. If they differ only in their extension, the format
  /// that loses least is found.
  init(_ names: [FilePath]) {
    exact = Set(names)
    for name in names {
      let text = name.text.lowercased()
      if folded[text] == nil { folded[text] = name }
      let stem = name.stem.lowercased()
      if stems[stem].map({ Self.rank(name) < Self.rank($0) }) ?? true { stems[stem] = name }
    }
  }

  /// The file that a name most likely means; nil if none is near enough.
  func match(_ name: FilePath) -> FilePath? {
    if exact.contains(name) { return name }
    // A name without an extension may contain dots, so its whole text is tried as well.
    let text = name.text.lowercased()
    return folded[text] ?? stems[name.stem.lowercased()] ?? stems[text]
  }

  private static func rank(_ name: FilePath) -> Int { SoundFormat.rank(of: name) ?? .max }
}
