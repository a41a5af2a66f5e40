// SPDX-License-Identifier: MIT

/// The place of an item's sound: a file, or another URI.
package enum MediaLocation: Sendable, Hashable {
  /// A file on this machine.
  case file(FilePath)
  /// A URI with a scheme other than `file`, as it was written. Such items are not played.
  case uri(String)

  /// The location that a person or a program has written: a URI if it begins with a scheme and `//` or is a `file:`
  /// URI, otherwise a path, which is resolved against `folder` if it is relative. `host` is this machine's name.
  /// - Throws: for a `file:` URI that names no file here, and for a path with a NUL. Traps for an empty text.
  package init(
    _ written: some Collection<UInt8>, in folder: FilePath, host: String? = nil
  ) throws(FileURIError) {
    precondition(!written.isEmpty, "an empty location")
    if let scheme = Self.scheme(of: written) {
      let uri = String(decoding: written, as: UTF8.self)
      self = scheme == "file" ? .file(try FilePath(uri: uri, host: host).tidied) : .uri(uri)
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
    if written.first == .slash { return nil }
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

extension FilePath {
  /// The `file:` URI of this path. The same characters are left unescaped as in GLib, so that hashes of the URI, such as the names of thumbnails,
  /// agree with those that other programs make. Traps for a relative path, which has no such URI.
  package var uri: String {
    precondition(isAbsolute, "a relative path has no URI: \(text)")
    return "file://" + uriPath
  }

  /// The `file:` URI of this path as people would write it, without escapes; no program can read that.
  package var plainURI: String { "file://" + text }

  /// Whether a text has something that is always an escape in the URI of a path.
  package static func hasWhatNoURIHas(_ text: String) -> Bool {
    PercentEncoding.decode(text.utf8) == nil
      || !text.utf8.allSatisfy {
        PercentEncoding.isUnreserved($0) || plainInPaths.contains($0) || $0 == UInt8(ascii: "%")
      }
  }

  /// An absolute path as text from which it can be made again: the path itself if it is UTF-8, otherwise its URI.
  package var location: String { exactText ?? uri }

  /// The path of a file whose location is written as text: as an absolute path or as a `file:` URI. Nil for any other text.
  package init?(location: String) {
    let path = location.hasPrefix("file:") ? try? FilePath(uri: location) : FilePath(location)
    guard let path, path.isAbsolute else { return nil }
    self = path
  }

  /// The path with the escapes of a URI but without a scheme, as in a relative reference.
  package var uriPath: String {
    PercentEncoding.encode(bytes) { byte in
      PercentEncoding.isUnreserved(byte) || Self.plainInPaths.contains(byte)
    }
  }

  /// The path that a `file:` URI names: `file:/a`, `file:///a` or `file://localhost/a`, with the scheme in any
  /// case. `host` is this machine's name, which terminals write in place of `localhost`; nil if it is not known.
  /// - Throws: if the scheme is not `file`, the host is another machine, the path is not absolute, an escape is broken
  ///   or stands for a slash or a NUL, or there is a query or a fragment, which no file has.
  package init(uri: String, host: String? = nil) throws(FileURIError) {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw FileURIError(uri, .noScheme)
    }
    let scheme = uri[..<colon]
    guard scheme.lowercased() == "file" else { throw FileURIError(uri, .otherScheme(String(scheme))) }
    let path = try Self.withoutHost(uri.utf8[uri.utf8.index(after: colon)...], of: uri, here: host)
    self = try Self.decoded(path, of: uri)
  }

  private static let plainInPaths = Set("/!$&'()*+,=:@".utf8)

  private static func withoutHost(
    _ rest: Substring.UTF8View, of uri: String, here: String?
  ) throws(FileURIError) -> Substring.UTF8View {
    guard rest.starts(with: "//".utf8) else { return rest }
    let afterSlashes = rest.dropFirst(2)
    let slash = afterSlashes.firstIndex(of: .slash) ?? afterSlashes.endIndex
    let host = String(Substring(afterSlashes[..<slash]))
    let isHere = host.isEmpty || ["localhost", here?.lowercased()].contains(host.lowercased())
    guard isHere else { throw FileURIError(uri, .otherHost(host)) }
    return afterSlashes[slash...]
  }

  private static func decoded(_ path: Substring.UTF8View, of uri: String) throws(FileURIError) -> FilePath {
    guard path.first == .slash else { throw FileURIError(uri, .notAbsolute) }
    if path.contains(UInt8(ascii: "?")) { throw FileURIError(uri, .unescaped("?", "%3F")) }
    if path.contains(UInt8(ascii: "#")) { throw FileURIError(uri, .unescaped("#", "%23")) }
    guard let bytes = PercentEncoding.decode(path),
      bytes.count(where: { $0 == .slash }) == path.count(where: { $0 == .slash }),
      let decoded = FilePath(bytes)
    else { throw FileURIError(uri, .badEscape) }
    return decoded
  }
}

/// Why a URI does not name a file on this machine.
package struct FileURIError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case noScheme
    case otherScheme(String)
    case otherHost(String)
    case notAbsolute
    case badEscape
    /// A character that has a special meaning in URIs, and the escape that has to be used for it in a file's name.
    case unescaped(String, String)
  }

  package let uri: String
  package let reason: Reason

  init(_ uri: String, _ reason: Reason) {
    (self.uri, self.reason) = (uri, reason)
  }

  /// The URI, the reason and the remedy.
  package var description: String { "\(uri): \(explanation)" }

  package var explanation: String {
    switch reason {
    case .noScheme: "not a URI; write file:///path"
    case .otherScheme(let scheme): "\(scheme): is not played; only file: is"
    case .otherHost(let host): "the file is on \(host); mount it and name it by its path here"
    case .notAbsolute: "the path must be absolute; write file:///path"
    case .badEscape: "broken percent-encoding; write % as %25"
    case .unescaped(let character, let escape): "a name's \(character) must be written \(escape)"
    }
  }
}

/// Converts bytes to the `%XX` escapes of a URI and back.
package enum PercentEncoding {
  /// The bytes as text. Each byte for which `isPlain` returns false becomes an escape.
  package static func encode(_ bytes: some Sequence<UInt8>, keeping isPlain: (UInt8) -> Bool) -> String {
    var out: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes that the text stands for; nil if a `%` is not followed by two hexadecimal digits.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
      out.append(high << 4 | low)
    }
    return out
  }

  /// Letters, digits and `-._~`, which never need an escape.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
