// SPDX-License-Identifier: MIT
package import MediaModel

/// The same with the player's paths, whose names need not be valid text.
extension TemporaryDirectory {
  /// The directory's path.
  package var location: FilePath { FilePath(path)! }  // it has a name, and no NUL: the system made it

  /// The path of a file in it with this name.
  package func at(_ name: some Sequence<UInt8>) -> FilePath {
    FilePath(location.bytes + [UInt8(ascii: "/")] + Array(name))!  // it has no NUL: no test gives one
  }

  /// The path of a file in it with this name.
  package func at(_ name: String) -> FilePath { at(name.utf8) }

  /// Writes a file in it, replacing an existing one, and returns its path.
  @discardableResult
  package func file(_ name: String, _ text: String = "") throws -> FilePath {
    try file(name, Array(text.utf8))
  }

  /// Writes a file in it, replacing an existing one, and returns its path.
  @discardableResult
  package func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    try write(name, bytes)
    return at(name)
  }

  /// Writes a file whose name need not be valid text. Its folder must exist.
  @discardableResult
  package func file(named name: [UInt8], _ bytes: [UInt8] = []) throws -> FilePath {
    try FileTree.write(bytes, to: at(name).bytes)
    return at(name)
  }

  /// Writes empty files.
  package func files(_ names: String...) throws { for name in names { try file(name) } }
}

/// All bytes of a file. Throws if it can't be read. Any thread; blocks.
package func contents(of path: FilePath) throws -> [UInt8] { try FileTree.contents(of: path.bytes) }
