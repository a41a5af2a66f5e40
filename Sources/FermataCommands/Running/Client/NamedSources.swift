// SPDX-License-Identifier: MIT
import FaceModel
import FileIO
import MediaModel

/// Turns the sources that a user named into what is sent to the agent: absolute paths, because the agent has another
/// working folder, of files that exist.
enum NamedSources {
  /// The sources in order. Throws if one doesn't exist or none is named. With `toPlay`, the error for a number
  /// suggests that it was meant as a row of the queue.
  static func sources(_ list: SourceList, toPlay: Bool = false) throws(CommandError) -> [MediaSource] {
    let written: [[UInt8]]
    switch list {
    case .words(let words): written = words.map { Array($0.utf8) }
    case .standardInput: written = SourceList.split(Commands.readStandardInput())
    }
    guard !written.isEmpty else {
      throw CommandError(
        .nothingPlayable, "standard input", "it names nothing", "write a file or folder a line")
    }
    return try written.map { (bytes) throws(CommandError) in .file(try file(bytes, toPlay: toPlay)) }
  }

  /// Whether a word names an existing file or folder.
  static func isThere(_ word: String) -> Bool {
    let written = Array(word.utf8)
    guard !written.isEmpty, let folder = try? NamedFiles.folder(of: written),
      case .file(let path)? = try? MediaLocation(written, in: folder)
    else { return false }
    return !path.isMissing
  }

  private static func file(_ written: [UInt8], toPlay: Bool) throws(CommandError) -> FilePath {
    let text = "'\(String(decoding: written, as: UTF8.self))'"
    guard !written.isEmpty else {
      throw CommandError(.noSuchFile, text, "it names nothing", "name a file, a folder or a playlist")
    }
    if let kept = try KeptPlaylists.file(ofSource: written) { return kept }
    let folder = try NamedFiles.folder(of: written)
    let location: MediaLocation
    do throws(FileURIError) { location = try MediaLocation(written, in: folder) } catch {
      throw CommandError(.noSuchFile, text, error.description)
    }
    guard case .file(let path) = location else {
      throw CommandError(
        .nothingPlayable, text, "only files are played", "name a file, a folder or a playlist")
    }
    // A path that may not be accessed counts as existing: the agent gives a better error.
    guard !path.isMissing else {
      throw CommandError(
        .noSuchFile, text, "no such file or folder",
        toPlay ? rowHint(written) ?? "name one that exists" : "name one that exists")
    }
    return path.tidied
  }

  private static func rowHint(_ written: [UInt8]) -> String? {
    guard written.allSatisfy({ (0x30...0x39).contains($0) }),
      let row = Int(String(decoding: written, as: UTF8.self)), row > 0
    else { return nil }
    return "did you mean 'fermata queue jump \(row)'?"
  }
}
