// SPDX-License-Identifier: MIT
import Glibc
import MediaModel

/// The files that a person names, as paths from the root. Names are bytes, whatever they are bytes of.
enum NamedFiles {
  /// The folder in which the program was called; nil where that one has been removed.
  static var workingFolder: FilePath? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FilePath(UnsafeRawBufferPointer(start: path, count: strlen(path))).flatMap {
      $0.isAbsolute ? $0 : nil
    }
  }

  /// The folder from which a name is seen. One that is a URI, or begins at the root, needs none. Throws for any other where the
  /// working folder has been removed: taken for the root it would mean all there is.
  static func folder(of name: [UInt8], or code: ExitCode = .noSuchFile) throws(CommandError) -> FilePath {
    guard MediaLocation.scheme(of: name) == nil, name.first != UInt8(ascii: "/") else { return "/" }
    guard let folder = workingFolder else {
      throw CommandError(
        code, "'\(String(decoding: name, as: UTF8.self))'", "the current folder is gone",
        "go to one that exists, or write the whole path")
    }
    return folder
  }

  /// The path of a file that is to be written; nil for a word that can't be one. A word that is no text has come as a URI.
  static func output(_ word: String) throws(CommandError) -> FilePath? {
    if MediaLocation.scheme(of: word.utf8) == "file" { return try? FilePath(uri: word) }
    guard let path = FilePath(word) else { return nil }
    return path.resolved(against: try folder(of: path.bytes, or: .cannotWrite))
  }
}
