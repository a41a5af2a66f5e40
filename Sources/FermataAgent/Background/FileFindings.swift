// SPDX-License-Identifier: MIT
import ArtIO
import FileIO
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

  init(tags: FileTags? = nil, artURL: String? = nil) { (self.tags, self.artURL) = (tags, artURL) }

  /// Reads the tags and the picture of a file. Blocks.
  init(of path: FilePath, by reader: ReaderClient, _ cache: ArtCache?) {
    tags = try? reader.tags(of: path)
    let embedded = tags?.hasPicture == true ? try? reader.picture(of: path) : nil
    let art =
      embedded.flatMap { picture in try? cache?.file(for: picture) } ?? path.parent.flatMap(FolderArt.find)
    artURL = art?.uri
  }
}

/// Keeps what was found last in a file of which several entries are parts. A book has a hundred chapters, its description is long, and a
/// list asks for one chapter after the other. Any thread may use it.
final class PartFindings: Sendable {
  private struct Kept {
    let path: FilePath
    let state: FileState
    let charset: String?
    let findings: FileFindings
  }

  private let last = Mutex<Kept?>(nil)

  /// What `read` finds in the file at `path`. If this is the file that was read last, and it is unchanged, `read` is not called and the former
  /// findings are returned. With another character set it is called, because the texts in the tags depend on that. Blocks.
  func findings(of path: FilePath, _ charset: String?, by read: () -> FileFindings) -> FileFindings {
    guard let state = Self.state(path) else { return read() }
    let kept = last.withLock { $0 }
    if let kept, kept.path == path, kept.state == state, kept.charset == charset { return kept.findings }
    let findings = read()
    guard findings.tags != nil else { return findings }
    last.withLock { $0 = Kept(path: path, state: state, charset: charset, findings: findings) }
    return findings
  }

  private static func state(_ path: FilePath) -> FileState? {
    do { return try HeldFile(path).stamp } catch { return nil }
  }
}
