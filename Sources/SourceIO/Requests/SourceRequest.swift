// SPDX-License-Identifier: MIT
package import MediaModel

/// What a person or a peer names.
package enum SourceRequest: Sendable, Hashable {
  /// A file, a folder or a playlist, seen from the expander's base where it is relative.
  case path(FilePath)
  /// A URI; only those with `file:` name something that plays.
  case uri(String)

  /// What the words of a command line and the lines of a list mean: a URI where they begin with a scheme
  /// and `//` or are a `file:` one, otherwise a path. Nil where it is neither: empty, or a path with a NUL.
  package init?(written: some Collection<UInt8>) {
    if MediaLocation.scheme(of: written) != nil {
      self = .uri(String(decoding: written, as: UTF8.self))
    } else {
      guard let path = FilePath(written) else { return nil }
      self = .path(path)
    }
  }
}
