// SPDX-License-Identifier: MIT
internal import FileIO
package import LibraryModel
package import MediaModel
internal import PlaylistModel

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
