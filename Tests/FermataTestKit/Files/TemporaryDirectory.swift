// SPDX-License-Identifier: MIT
import Glibc

/// A directory that only this user can enter, gone with everything in it when this object is.
///
/// Its path is short: a socket in it must fit into 108 bytes. Any thread may use it. Folders that a name needs are made.
package final class TemporaryDirectory: Sendable {
  /// Where it is; does not end in a slash.
  package let path: String

  /// Makes one. Throws when the system's folder for such things cannot be written to.
  package init() throws {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder.utf8.count > 40 ? "/tmp" : folder)/fermata-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw KitError.system("mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { FileTree.remove(Array(path.utf8)) }

  /// The path of something in it.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder in it, with the folders above, and returns its path.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    var folder = path
    for part in name.split(separator: "/") {
      folder += "/\(part)"
      guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw KitError.system("mkdir \(folder)", code: errno)
      }
    }
    return folder
  }

  /// Writes a file in it, in place of one that is there, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    if let slash = name.lastIndex(of: "/") { try makeFolder(String(name[..<slash])) }
    let target = path(name)
    try FileTree.write(Array(bytes), to: Array(target.utf8))
    return target
  }

  /// Writes a text file in it, in place of one that is there, and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

  /// The bytes of a file in it. Throws where there is none.
  package func bytes(_ name: String) throws -> [UInt8] { try contents(of: path(name)) }

  /// What a text file in it says. Throws where there is none, or it is no text.
  package func text(_ name: String) throws -> String {
    guard let text = String(validating: try bytes(name), as: UTF8.self) else {
      throw KitError("\(name) is no text")
    }
    return text
  }

  /// The names of what is in it, or in a folder of it, in order; none where there is no such folder.
  package func names(in folder: String = ".") -> [String] {
    FileTree.names(in: Array(path(folder).utf8)).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// What something in it is, or it itself; nil where there is no such thing. Links are not followed.
  package func status(_ name: String = ".") -> FileStatus? { FileStatus(path(name)) }

  /// Makes a symbolic link in it.
  package func link(_ name: String, to target: String) throws {
    guard unsafe symlink(target, path(name)) == 0 else {
      throw KitError.system("symlink \(name)", code: errno)
    }
  }

  /// Makes a named pipe in it, at which whoever opens it waits for another.
  package func pipe(_ name: String) throws {
    guard unsafe mkfifo(path(name), 0o600) == 0 else { throw KitError.system("mkfifo \(name)", code: errno) }
  }
}

/// The bytes of a file, whole. Throws where it cannot be read. Any thread; blocks.
package func contents(of path: String) throws -> [UInt8] { try FileTree.contents(of: Array(path.utf8)) }
