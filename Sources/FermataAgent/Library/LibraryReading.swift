// SPDX-License-Identifier: MIT
import FileIO
import LibraryModel
import MediaModel
import ReaderIO
import ReaderModel

extension ReaderClient {
  /// Reads files for a scan: one result each, in order; `looking` is called with each file that is being read. Blocks. Throws if the program that
  /// reads files is missing.
  func records(
    of files: [FilePath], looking: (FilePath) -> Void
  ) throws(LibraryScan.NoReader) -> [Result<FileRecord, ReadingFailure>] {
    var records: [Result<FileRecord, ReadingFailure>] = []
    for result in read(files, looking: looking) {
      switch result {
      case .success(let found): records.append(.success(FileRecord(found)))
      case .failure(.readerMissing(let reason)):
        throw LibraryScan.NoReader(reason: "tags can't be read: \(reason)")
      case .failure(let failure): records.append(.failure(ReadingFailure(failure)))
      }
    }
    return records
  }
}

extension FileRecord {
  fileprivate init(_ found: FileTags) {
    self.init(
      tags: found.tags, format: found.format, kilobits: found.kilobits, hasPicture: found.hasPicture,
      fingerprint: found.fingerprint)
  }
}

extension ReadingFailure {
  /// The failure without its remedy, because the library shows it in a list beside the file.
  fileprivate init(_ failure: ReadFailure) {
    switch failure {
    case .unreadable(let code) where SystemError(code: code).isMissing: self = .vanished
    case .unreadable(let code): self = .unreadable(String(errno: code))
    case .notAFile: self = .unsound("it is no regular file")
    case .unknownFormat: self = .unsound("its format is not played")
    case .broken: self = .unsound("it is broken")
    case .killedReader(let reason): self = .unsound("its tags can't be read: \(reason)")
    case .readerMissing(let reason): self = .unreadable(reason)
    }
  }
}
