// SPDX-License-Identifier: MIT
import Glibc
import MediaModel

/// Turns file names that a user typed into absolute paths. Names are bytes, in whatever encoding.
enum NamedFiles {
  /// The working folder; nil if it has been removed.
  static var workingFolder: FilePath? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FilePath(UnsafeRawBufferPointer(start: path, count: strlen(path))).flatMap {
      $0.isAbsolute ? $0 : nil
    }
  }

  /// The folder at which a name starts. For a URI or an absolute path it is the root. Throws for a relative name if
  /// the working folder has been removed: with the root instead, the name could mean the whole file system.
  static func folder(of name: [UInt8], or code: ExitCode = .noSuchFile) throws(CommandError) -> FilePath {
    guard MediaLocation.scheme(of: name) == nil, name.first != UInt8(ascii: "/") else { return "/" }
    guard let folder = workingFolder else {
      throw CommandError(
        code, "'\(String(decoding: name, as: UTF8.self))'", "the current folder is gone",
        "go to one that exists, or write the whole path")
    }
    return folder
  }

  /// The path of a file to write; nil for a word that can't be a path. A word that is not valid text comes as a
  /// `file:` URI.
  static func output(_ word: String) throws(CommandError) -> FilePath? {
    if MediaLocation.scheme(of: word.utf8) == "file" { return try? FilePath(uri: word) }
    guard let path = FilePath(word) else { return nil }
    return path.resolved(against: try folder(of: path.bytes, or: .cannotWrite))
  }
}
