// SPDX-License-Identifier: MIT
import FaceModel
import FileIO
import MediaModel

/// What a person named, as it is sent: absolute, as the agent stands in another folder, and there.
enum NamedSources {
  /// The sources in order. Throws where one is not there, or where there is none at all. Where they are to be played, a number
  /// may have been meant as a row of the queue.
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

  /// Whether a word names something that is there.
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
    // What may not be looked at is there: the agent says more about it.
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
