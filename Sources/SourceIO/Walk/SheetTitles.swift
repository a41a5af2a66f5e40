// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel
package import PlaybackLogic
package import PlaylistModel
internal import Synchronization

/// Looks up what the CUE sheets in a file's folder say about the file and its parts.
///
/// The queue stores where its entries are but not their titles, so a sheet is read when a title is wanted. The last
/// folder and its sheets are cached, because the tracks of a sheet are asked for one after another. Each time, the
/// folder and the sheet are checked on disk for changes. May be used from any thread.
package final class SheetTitles: Sendable {
  /// Reads a whole sheet; nil if it can't be read or is too long for a sheet.
  typealias Read = @Sendable (borrowing HeldFile) -> [UInt8]?

  private let last = Mutex<SheetFolder?>(nil)
  private let read: Read

  /// Starts with an empty cache.
  package convenience init() { self.init(read: Self.bytes) }

  init(read: @escaping Read) { self.read = read }

  /// The track that begins where `span` does; nil if no sheet in the file's folder has one. Blocks on the disk.
  package func entry(of file: FilePath, _ span: CueSpan) -> PlaylistEntry? { find(file, span) }

  /// The track that is the whole file; nil if no sheet in the file's folder has one. Blocks on the disk.
  package func entry(ofWhole file: FilePath) -> PlaylistEntry? { find(file, nil) }

  private func find(_ file: FilePath, _ span: CueSpan?) -> PlaylistEntry? {
    guard let path = file.parent, let held = try? HeldFile(path), held.kind == .folder,
      var directory = try? held.openFolder()
    else { return nil }
    var folder =
      last.withLock { $0 }.flatMap { $0.isStill(held.stamp, at: path) ? $0 : nil }
      ?? SheetFolder(path, held.stamp, &directory)
    defer { last.withLock { $0 = folder } }
    return folder.entry(of: file, span, in: directory.descriptor, read)
  }

  private static func bytes(of sheet: borrowing HeldFile) -> [UInt8]? {
    let limit = SourceLimits().sheetBytes
    guard let bytes = try? sheet.openFile().head(limit + 1), bytes.count <= limit else { return nil }
    return bytes
  }
}
