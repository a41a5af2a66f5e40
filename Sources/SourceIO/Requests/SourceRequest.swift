// SPDX-License-Identifier: MIT
package import MediaModel

/// A source as a person or a bus peer named it, before anything is looked up.
package enum SourceRequest: Sendable, Hashable {
  /// A file, a folder or a playlist. A relative path starts at the expander's base.
  case path(FilePath)
  /// A URI. Only `file:` URIs name something playable.
  case uri(String)

  /// Reads a word of a command line or a line of a list. Text that begins with a scheme and `//`, or with `file:`, is
  /// a URI; everything else is a path. Nil for an empty text and for a path that contains a NUL.
  package init?(written: some Collection<UInt8>) {
    if MediaLocation.scheme(of: written) != nil {
      self = .uri(String(decoding: written, as: UTF8.self))
    } else {
      guard let path = FilePath(written) else { return nil }
      self = .path(path)
    }
  }
}
