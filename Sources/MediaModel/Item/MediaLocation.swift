// SPDX-License-Identifier: MIT

/// Where an item's sound is.
package enum MediaLocation: Sendable, Hashable {
  /// A file here.
  case file(FilePath)
  /// Somewhere else, as its URI was written.
  case uri(String)

  /// The location that a person or a program has written: a URI if it begins with a scheme and `//` or is a `file:`
  /// URI, otherwise a path, which is resolved against `folder` if it is relative.
  /// - Throws: for a `file:` URI that names no file here, and for a path with a NUL. Traps for an empty text.
  package init(_ written: some Collection<UInt8>, in folder: FilePath) throws(FileURIError) {
    precondition(!written.isEmpty, "an empty location")
    if let scheme = Self.scheme(of: written) {
      let uri = String(decoding: written, as: UTF8.self)
      self = scheme == "file" ? .file(try FilePath(uri: uri)) : .uri(uri)
    } else if let path = FilePath(written) {
      self = .file(path.resolved(against: folder))
    } else {
      throw FileURIError(String(decoding: written, as: UTF8.self), .badEscape)
    }
  }

  /// The location as a URI. Traps for a relative path.
  package var uri: String {
    switch self {
    case .file(let path): path.uri
    case .uri(let uri): uri
    }
  }

  /// The scheme of a URI, in lower case; nil if this is no URI. `a:b` is a fine name for a file, so schemes other than
  /// `file` need `//`.
  package static func scheme(of written: some Collection<UInt8>) -> String? {
    let scheme = written.prefix(16).prefix { byte in
      PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "~")
        || byte == UInt8(ascii: "+")
    }
    let rest = written.dropFirst(scheme.count)
    guard let first = scheme.first, isLetter(first), rest.first == UInt8(ascii: ":") else { return nil }
    let name = String(decoding: scheme, as: UTF8.self).lowercased()
    return rest.starts(with: "://".utf8) || rest.starts(with: ":/".utf8) && name == "file" ? name : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
