// SPDX-License-Identifier: MIT
import Glibc

/// A directory that only this user can enter. It is removed with everything in it when this object is released.
///
/// Its path is short, because a socket path in it must fit into 108 bytes. Any thread may use it. Missing folders in
/// a name are created.
package final class TemporaryDirectory: Sendable {
  /// Its path, without a slash at the end.
  package let path: String

  /// Creates a directory. Throws if the system's folder for temporary files is not writable.
  package init() throws {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder.utf8.count > 40 ? "/tmp" : folder)/fermata-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw KitError.system("mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { FileTree.remove(Array(path.utf8)) }

  /// The path of something in it.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Creates a folder in it, with the folders above, and returns its path.
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

  /// Writes a file in it, replacing an existing one, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    if let slash = name.lastIndex(of: "/") { try makeFolder(String(name[..<slash])) }
    let target = path(name)
    try FileTree.write(Array(bytes), to: Array(target.utf8))
    return target
  }

  /// Writes a text file in it, replacing an existing one, and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

  /// The bytes of a file in it. Throws if it can't be read.
  package func bytes(_ name: String) throws -> [UInt8] { try contents(of: path(name)) }

  /// The text of a file in it. Throws if it can't be read or is not valid UTF-8.
  package func text(_ name: String) throws -> String {
    guard let text = String(validating: try bytes(name), as: UTF8.self) else {
      throw KitError("\(name) is no text")
    }
    return text
  }

  /// The names in it, or in a folder in it, sorted; empty if there is no such folder.
  package func names(in folder: String = ".") -> [String] {
    FileTree.names(in: Array(path(folder).utf8)).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// The status of a file in it, or by default its own; nil if there is no such file. Links are not followed.
  package func status(_ name: String = ".") -> FileStatus? { FileStatus(path(name)) }

  /// Creates a symbolic link in it.
  package func link(_ name: String, to target: String) throws {
    guard unsafe symlink(target, path(name)) == 0 else {
      throw KitError.system("symlink \(name)", code: errno)
    }
  }

  /// Creates a named pipe in it. Whoever opens one end waits for the other to be opened.
  package func pipe(_ name: String) throws {
    guard unsafe mkfifo(path(name), 0o600) == 0 else { throw KitError.system("mkfifo \(name)", code: errno) }
  }
}

/// All bytes of a file. Throws if it can't be read. Any thread; blocks.
package func contents(of path: String) throws -> [UInt8] { try FileTree.contents(of: Array(path.utf8)) }
