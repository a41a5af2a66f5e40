// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import PlaylistModel

/// Finds the files that one CUE sheet names. It caches the last folder and the last answer: the tracks of a sheet are
/// in few files, so the same question comes again and again.
struct SheetFinder {
  /// The folder of the sheet.
  let home: FilePath
  fileprivate var listed: (folder: FilePath, names: SoundNames)?
  fileprivate var last: (asked: FilePath, found: FilePath?)?

  init(sheet: FilePath) { home = sheet.parent ?? sheet }
}

extension Walk {
  /// The file whose name is nearest to the one in a sheet's entry. It looks in the folder that the entry names, then
  /// in the sheet's own folder. Blocks on the disk.
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
