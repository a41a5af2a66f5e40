// SPDX-License-Identifier: MIT
import ArtIO
import FileIO
import Glibc
import MediaModel
import ReaderIO
import ReaderModel
import Synchronization

/// What reading a sound file found.
struct FileFindings: Sendable {
  /// The file's tags; nil if it cannot be read.
  var tags: FileTags?
  /// The URI of the file's picture, if it has one.
  var artURL: String?
  /// The state of the file and of its picture when they were read, to notice changes later; nil if the file is gone.
  var origin: FileOrigin?
  /// What kept the tags or the picture from being read, if another try may succeed later; otherwise nil.
  private(set) var hindrance: Hindrance?

  enum Hindrance {
    /// The disk did not answer, or had an error.
    case disk
    /// The process that reads files could not be started.
    case reader
  }

  /// Reads the tags and the picture of a file. Blocks.
  init(of path: FilePath, by reader: ReaderClient, _ cache: ArtCache?) {
    // Before the tags, so that a change meanwhile is noticed later.
    origin = FileOrigin(of: path)
    do throws(ReadFailure) { tags = try reader.tags(of: path) } catch {
      note(error)
    }
    var embedded: CoverPicture?
    if tags?.hasPicture == true {
      do throws(ReadFailure) { embedded = try reader.picture(of: path) } catch {
        note(error)
      }
    }
    let kept = embedded.flatMap { picture in try? cache?.file(for: picture) }
    let art = kept ?? path.parent.flatMap(FolderArt.find)
    artURL = art?.uri
    origin?.note(picture: art, isInFolder: kept == nil)
  }

  private mutating func note(_ failure: ReadFailure) {
    switch failure {
    case .unreadable(let code): hindrance = Self.lasting.contains(code) ? nil : .disk
    case .readerMissing: hindrance = .reader
    case .notAFile, .unknownFormat, .broken, .killedReader: break
    }
  }

  /// The errors of files that are readable only after somebody has done something about it; the others may pass.
  private static let lasting = [ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG]

  init(tags: FileTags?, origin: FileOrigin?) { (self.tags, self.origin) = (tags, origin) }
}

/// The state of a file, and of the picture that belongs to it, at the time when its tags were read. Compared with the disk later, it tells whether they
/// have to be read again.
struct FileOrigin: Sendable, Equatable {
  let path: FilePath
  private let state: FileState
  private var picture: FilePath?
  /// The states of the folder and of the picture in it, if the picture is a file there or there is none; a better one may come.
  private var beside: [FileState?] = []

  /// The file as it is now; nil if it is gone. Blocks.
  init?(of path: FilePath) {
    guard let state = Self.state(path) else { return nil }
    (self.path, self.state) = (path, state)
  }

  /// Notes which picture was found: one in the file's own folder, or one that was copied out of the file into the cache. Blocks.
  fileprivate mutating func note(picture: FilePath?, isInFolder: Bool) {
    self.picture = picture
    beside = isInFolder ? statesBeside : []
  }

  /// Whether the file or a picture in its folder is another one now. With `orWithoutCopy`, a picture that was deleted from the cache counts as a change
  /// too. False if the file is gone, because then reading it again would give nothing. Blocks.
  func hasChanged(orWithoutCopy: Bool) -> Bool {
    guard let now = Self.state(path) else { return false }
    if now != state { return true }
    return beside.isEmpty ? orWithoutCopy && picture?.isMissing == true : beside != statesBeside
  }

  /// Whether the other has the same path and the same state of the sound file. Pictures are not compared.
  func isSameFile(as other: FileOrigin?) -> Bool { other?.path == path && other?.state == state }

  private var statesBeside: [FileState?] { [path.parent, picture].map { $0.flatMap(Self.state) } }

  private static func state(_ path: FilePath) -> FileState? { try? HeldFile(path).stamp }
}

/// Keeps what was found last in a file of which several entries are parts. A book has a hundred chapters, its description is long, and a
/// list asks for one chapter after the other. Any thread may use it.
final class PartFindings: Sendable {
  private struct Kept {
    let origin: FileOrigin
    let charset: String?
    let findings: FileFindings
  }

  private let last = Mutex<Kept?>(nil)

  /// What `read` finds in the file at `path`. If this is the file that was read last, and it is unchanged, `read` is not called and the former
  /// findings are returned. With another character set it is called, because the texts in the tags depend on that. Blocks.
  func findings(of path: FilePath, _ charset: String?, by read: () -> FileFindings) -> FileFindings {
    let kept = last.withLock { $0 }
    if let kept, kept.origin.path == path, kept.charset == charset,
      !kept.origin.hasChanged(orWithoutCopy: true)
    {
      return kept.findings
    }
    let findings = read()
    guard findings.tags != nil, findings.hindrance == nil, let origin = findings.origin else {
      return findings
    }
    last.withLock { $0 = Kept(origin: origin, charset: charset, findings: findings) }
    return findings
  }
}
