// SPDX-License-Identifier: MIT
internal import FileIO
package import LibraryModel
package import MediaModel
package import PlaybackLogic
package import PlaylistModel
internal import Synchronization

/// Looks up the titles of a file and its parts in the CUE sheets of its folder.
///
/// The queue stores locations but no titles, so a sheet is read when a title is wanted. The last folder and its sheets are cached, because the tracks
/// of a sheet are asked for one after another. Each time, the folder and the sheet are checked on disk for changes. May be used from any thread.
package final class SheetTitles: Sendable {
  /// Reads a whole sheet; nil if it can't be read or is too long for a sheet.
  typealias Read = @Sendable (borrowing HeldFile) -> [UInt8]?

  private let last = Mutex<SheetFolder?>(nil)
  private let charsetNow = Mutex<String?>(nil)
  private let chapters = FileChapters()
  private let read: Read

  /// Starts with an empty cache.
  package convenience init() { self.init { $0.sheet(SourceLimits().sheetBytes) } }

  init(read: @escaping Read) { self.read = read }

  /// The character set of sheets that are not UTF-8, by its name in the C library; nil for that of Windows in the West.
  package var charset: String? {
    get { charsetNow.withLock { $0 } }
    set { charsetNow.withLock { $0 = newValue } }
  }

  /// The track that begins where `span` does: by a sheet in the file's folder, or else by the file's own chapters. Nil if neither has one.
  /// Blocks on the disk.
  package func entry(of file: FilePath, _ span: CueSpan) -> PlaylistEntry? {
    find(file, span)
      ?? chapters.entries(of: file).first { $0.part.flatMap(CueSpan.init)?.start == span.start }
  }

  /// The track that is the whole file; nil if no sheet in the file's folder has one. Blocks on the disk.
  package func entry(ofWhole file: FilePath) -> PlaylistEntry? { find(file, nil) }

  private func find(_ file: FilePath, _ span: CueSpan?) -> PlaylistEntry? {
    guard let path = file.parent, let held = try? HeldFile(path), held.kind == .folder,
      var directory = try? held.openFolder()
    else { return nil }
    let charset = charset
    var folder =
      last.withLock { $0 }.flatMap { $0.isStill(held.stamp, at: path, in: charset) ? $0 : nil }
      ?? SheetFolder(path, held.stamp, &directory, charset: charset)
    defer { last.withLock { $0 = folder } }
    return folder.entry(of: file, span, in: directory.descriptor, read)
  }
}

/// The names in one folder when it was listed, and a cache of the CUE sheets in it that were read since.
struct SheetFolder: Sendable {
  /// The entries of a sheet in one state of its file; none if the file was not a CUE sheet.
  private struct Sheet {
    let stamp: FileState
    let entries: [PlaylistEntry]
    /// The sheet's length in bytes; 0 if it has no entries.
    let bytes: Int
  }

  /// A folder with more sheets than this is an archive of sheets, and the rest is ignored, also where the folder is queued.
  static let mostSheets = 256
  /// As many sheets, and as many files that may be cut by them, are looked at.
  private static let mostNames = 100_000
  /// The most bytes of sheets that are cached. A typical sheet has a few thousand.
  static let mostBytes = 1 << 20

  let path: FilePath
  private let stamp: FileState
  /// The character set of sheets that are not UTF-8.
  let charset: String?
  /// The names of the sheets, in natural order.
  let sheets: [FilePath]
  let sounds: SoundNames
  /// Whether the folder could be listed to its end.
  let isWhole: Bool
  private var remembered: [FilePath: Sheet] = [:]

  /// Lists an open folder. Blocks on the disk.
  init(_ path: FilePath, _ stamp: FileState, _ directory: inout Directory, charset: String? = nil) {
    var (sheets, sounds): ([FilePath], [FilePath]) = ([], [])
    do {
      while let (name, _) = try directory.next() {
        if name.pathExtension == "cue" {
          if sheets.count < Self.mostNames { sheets.append(name) }
        } else if sounds.count < Self.mostNames, name.looksPlayable {
          sounds.append(name)
        }
      }
      isWhole = true
    } catch { isWhole = false }
    // Most folders have no sheet, and the listing is kept.
    if sheets.isEmpty { sounds = [] }
    (self.path, self.stamp, self.charset) = (path, stamp, charset)
    // This is the order in which the expansion of the folder reads them.
    self.sheets = Array(NaturalOrder.sorted(sheets).prefix(Self.mostSheets))
    self.sounds = SoundNames(NaturalOrder.sorted(sounds))
  }

  /// Whether this is a listing of the folder at this path, with sheets in this character set, and the folder, which has this stamp now, has not changed
  /// since.
  func isStill(_ stamp: FileState, at path: FilePath, in charset: String?) -> Bool {
    self.stamp == stamp && self.path == path && self.charset == charset
  }

  /// The track that begins where `span` does; without a span, the track that is the whole file. Nil if no sheet has
  /// it. `descriptor` is the open folder. Blocks on the disk.
  mutating func entry(
    of file: FilePath, _ span: CueSpan?, in descriptor: Int32, _ read: SheetTitles.Read
  ) -> PlaylistEntry? {
    for sheet in sheets {
      let found = entries(of: sheet, in: descriptor, read).first { entry in
        entry.part.flatMap(CueSpan.init)?.start == span?.start
          && (entry.mayMean(file) || sounds.match(sheetEntry: entry, in: path) == file.lastComponent)
      }
      if let found { return found }
    }
    return nil
  }

  private mutating func entries(
    of sheet: FilePath, in descriptor: Int32, _ read: SheetTitles.Read
  ) -> [PlaylistEntry] {
    guard let held = try? HeldFile(sheet, in: descriptor), held.kind == .file else { return [] }
    if let known = remembered[sheet], known.stamp == held.stamp { return known.entries }
    remembered[sheet] = nil
    let bytes = read(held) ?? []
    let entries = SourceSearch.entries(of: bytes, path.entry(sheet), in: charset)
    let new = Sheet(stamp: held.stamp, entries: entries, bytes: entries.isEmpty ? 0 : bytes.count)
    if remembered.values.reduce(new.bytes, { $0 + $1.bytes }) <= Self.mostBytes { remembered[sheet] = new }
    return entries
  }
}

extension SheetFindings {
  /// Reads the CUE sheets of folders, in the same order and within the same bounds as a search for what is to be queued does. `charset` is that of
  /// sheets that are not UTF-8. `goesOn` is called with each folder; if it returns false, the result is nil. Blocks on the disk.
  package static func read(
    in folders: [FilePath], charset: String? = nil, goesOn: (FilePath) -> Bool
  ) -> SheetFindings? {
    var findings = SheetFindings()
    for folder in folders {
      guard goesOn(folder) else { return nil }
      findings.add(folder, charset)
    }
    return findings
  }

  private mutating func add(_ path: FilePath, _ charset: String?) {
    guard let held = try? HeldFile(path), held.kind == .folder, var directory = try? held.openFolder() else {
      unlisted.insert(path)
      return
    }
    let folder = SheetFolder(path, held.stamp, &directory, charset: charset)
    guard folder.isWhole else {
      unlisted.insert(path)
      return
    }
    var said: [FilePath: [[PlaylistEntry]]] = [:]
    for sheet in folder.sheets where sheet.bytes.first != UInt8(ascii: ".") {
      for (file, entries) in entries(of: sheet, in: folder, directory.descriptor) {
        said[file, default: []].append(entries)
      }
    }
    for (name, sheets) in said { files[path.entry(name)] = SheetFinding(sheets) }
  }

  /// What a sheet says of each file in its folder, by the files' names.
  private mutating func entries(
    of sheet: FilePath, in folder: SheetFolder, _ descriptor: Int32
  ) -> [FilePath: [PlaylistEntry]] {
    let path = folder.path.entry(sheet)
    let held: HeldFile
    do throws(SystemError) { held = try HeldFile(sheet, in: descriptor) } catch {
      if !error.isMissing { unread.insert(path) }
      return [:]
    }
    guard held.kind == .file, held.stamp.size <= SourceLimits().sheetBytes else { return [:] }
    guard let bytes = held.sheet(SourceLimits().sheetBytes) else {
      unread.insert(path)
      return [:]
    }
    var said: [FilePath: [PlaylistEntry]] = [:]
    for entry in SourceSearch.entries(of: bytes, path, in: folder.charset) {
      if let name = folder.sounds.match(sheetEntry: entry, in: folder.path) {
        said[name, default: []].append(entry)
      }
    }
    return said
  }
}
