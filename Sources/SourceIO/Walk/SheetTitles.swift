// SPDX-License-Identifier: MIT
internal import FileIO
public import MediaModel
public import PlaybackLogic
public import PlaylistModel

/// What a CUE sheet beside a file says of a part of it.
///
/// The queue keeps where its entries are and nothing of what they are called, so the sheet is read again when the title is wanted.
public enum SheetTitles {
  // A folder with more sheets than that is an archive of sheets.
  private static let mostSheets = 32
  private static let mostNames = 10_000

  /// The track that begins where the part does; nil where no sheet in the file's folder has one. Blocks on the disk.
  public static func entry(of file: FilePath, _ span: CueSpan) -> PlaylistEntry? {
    guard let folder = file.parent, let held = try? HeldFile(folder), held.kind == .folder,
      var directory = try? held.openFolder()
    else { return nil }
    let (sheets, sounds) = names(&directory)
    let names = SoundNames(sounds)
    for sheet in sheets {
      guard let bytes = bytes(of: sheet, in: directory.descriptor),
        let reading = try? PlaylistReader.read(bytes, of: folder.entry(sheet)), reading.format == .cue
      else { continue }
      let found = reading.playlist.entries.first { entry in
        entry.part.flatMap(CueSpan.init)?.start == span.start
          && names.match(sheetEntry: entry, in: folder) == file.lastComponent
      }
      if let found { return found }
    }
    return nil
  }

  private static func names(_ directory: inout Directory) -> (sheets: [FilePath], sounds: [FilePath]) {
    var (sheets, sounds): ([FilePath], [FilePath]) = ([], [])
    var count = 0
    while count < mostNames, let (name, _) = try? directory.next() {
      count += 1
      if name.pathExtension == "cue" {
        sheets.append(name)
      } else if name.looksPlayable {
        sounds.append(name)
      }
    }
    // In the order in which a folder is laid open.
    return (
      Array(sheets.sorted(by: NaturalOrder.precedes).prefix(mostSheets)),
      sounds.sorted(by: NaturalOrder.precedes)
    )
  }

  private static func bytes(of sheet: FilePath, in folder: Int32) -> [UInt8]? {
    let limit = SourceLimits().sheetBytes
    guard let held = try? HeldFile(sheet, in: folder), held.kind == .file,
      let bytes = try? held.openFile().head(limit + 1), bytes.count <= limit
    else { return nil }
    return bytes
  }
}
