// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import PlaybackLogic
internal import PlaylistModel

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
      let entries = Self.entries(of: bytes, folder.entry(sheet))
      let tracks = Dictionary(grouping: entries) { names.match(sheetEntry: $0, in: folder) }
      for case (let name?, let entries) in tracks where entries.count > 1 && cuts[name] == nil {
        cuts[name] = entries.map { EntrySource($0, at: folder.entry(name)) }
      }
    }
    return cuts
  }

  /// The entries of a CUE sheet; none if the file is something else.
  static func entries(of bytes: [UInt8], _ sheet: FilePath) -> [PlaylistEntry] {
    guard let reading = try? PlaylistReader.read(bytes, of: sheet), reading.format == .cue else { return [] }
    return reading.playlist.entries
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
