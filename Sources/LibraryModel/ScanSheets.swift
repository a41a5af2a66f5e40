// SPDX-License-Identifier: MIT
import MediaModel

/// A sound file that the library knows, and that a scan found in its place and unchanged.
struct StayedFile {
  let known: KnownFile
  let found: FoundFile
  /// Whether it has another path than before, or was missing until now.
  let isShifted: Bool

  init(_ known: KnownFile, _ found: FoundFile, isShifted: Bool) {
    (self.known, self.found, self.isShifted) = (known, found, isShifted)
  }
}

/// What a scan finds out from CUE sheets, and about the files that they may name. A sheet is known by its path and its stamp: a renamed sheet is a
/// new one.
struct ScanSheets {
  /// New stamps for CUE sheets. A sheet with the same size and time, but another inode or device, gets its present stamp. A sheet that is new,
  /// changed or gone gets a stamp that no file has. So if this scan is broken off, the next scan reads that sheet in any case.
  private(set) var touches: [FileChange] = []
  /// The sheets that are new or changed, and so are to be read.
  private var new: [FoundFile] = []
  private var gone: [KnownFile] = []
  /// The known files that the walk has not found as they were.
  private let unsettled: Set<MediaItem.ID>
  /// The files of `Comparison.stayed`: their content is as before, though some are elsewhere now or were missing.
  private let stayed: [StayedFile]

  /// `known` are the files that the walk has not found as they were. `sight` says of a file whether the walk would have found it if it were there.
  init(_ walk: FolderWalk, _ known: [KnownFile], _ stayed: [StayedFile], sight: (KnownFile) -> Bool) {
    (self.stayed, unsettled) = (stayed, Set(known.lazy.map(\.id)))
    var known = Dictionary(
      known.lazy.filter(\.path.isSheet).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    for file in walk.files where file.path.isSheet {
      let before = known.removeValue(forKey: file.path)
      if let before, file.stamp.isSameContent(as: before.stamp),
        before.stamp != file.stamp || !file.stamp.hasOtherStatus(than: before.stamp)
      {
        if before.stamp != file.stamp || file.stamp.tellsStatus(unlike: before.stamp) {
          touches.append(.touch(before.id, file.stamp))
        }
        continue
      }
      new.append(file)
      touches.append(.sheet(file.path, file.stamp.ofNoFile))
    }
    gone = known.values.filter(sight).sorted { $0.id.rawValue < $1.id.rawValue }
    touches += gone.map { .touch($0.id, $0.stamp.ofNoFile) }
  }

  /// The folders whose sheets are to be read, once each: where a sheet is new, changed or gone, where files came to a sheet, and where files left.
  func folders(_ walk: FolderWalk, came: [FilePath], left: [FilePath]) -> [FilePath] {
    var folders = Set((new.map(\.path) + gone.map(\.path) + left).compactMap(\.parent))
    if !walk.sheetFolders.isEmpty {
      folders.formUnion(came.lazy.compactMap(\.parent).filter(walk.sheetFolders.contains))
    }
    return folders.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// The files in these folders whose content is as before. `known` are the files that the library has there.
  func present(in folders: Set<FilePath>, _ known: [KnownFile]) -> [StayedFile] {
    let near = stayed.filter { folders.hasFolder(of: $0.found.path) }
    let settled = known.filter { !$0.isHidden && !$0.path.isSheet && isSettled($0) }
    return near
      + settled.map { StayedFile($0, FoundFile(path: $0.path, stamp: $0.stamp), isShifted: false) }
  }

  /// Whether the walk has found a known file as it was.
  func isSettled(_ file: KnownFile) -> Bool { !unsettled.contains(file.id) }

  /// The changes at the end of a scan: sheets that were read get their stamps, and those that are gone are forgotten.
  func endingChanges(_ findings: SheetFindings) -> [FileChange] {
    let read = new.filter { !findings.unlisted.hasFolder(of: $0.path) }
    return gone.map { .forget($0.id) }
      + read.map { .sheet($0.path, findings.unread.contains($0.path) ? $0.stamp.ofNoFile : $0.stamp) }
  }
}

extension Set<FilePath> {
  /// Whether the folder of a file is among these.
  func hasFolder(of file: FilePath) -> Bool { !isEmpty && (file.parent.map { contains($0) } ?? false) }
}
