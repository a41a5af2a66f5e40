// SPDX-License-Identifier: MIT

extension FilePath {
  /// The `file:` URI of this path. What is kept plain is what GLib keeps, so that hashes of the URI (those of
  /// thumbnails, say) agree across the desktop. Traps for a relative path, which has no such URI.
  package var uri: String {
    precondition(isAbsolute, "a relative path has no URI: \(text)")
    return "file://" + uriPath
  }

  /// The path as a text that leads back to it: the path itself if it is UTF-8, else its URI. Traps for a relative path.
  package var location: String { exactText ?? uri }

  /// The path with the escapes of a URI but without a scheme, as in a relative reference.
  package var uriPath: String {
    PercentEncoding.encode(bytes) { byte in
      PercentEncoding.isUnreserved(byte) || Self.plainInPaths.contains(byte)
    }
  }

  /// The path that a `file:` URI names: `file:/a`, `file:///a` or `file://localhost/a`, with the scheme in any
  /// case.
  /// - Throws: where the scheme or the host is another, an escape is broken or hides a slash or a NUL, or there
  ///   is a query or a fragment, which no file has.
  package init(uri: String) throws(FileURIError) {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw FileURIError(uri, .noScheme)
    }
    let scheme = uri[..<colon]
    guard scheme.lowercased() == "file" else { throw FileURIError(uri, .otherScheme(String(scheme))) }
    let path = try Self.withoutHost(uri.utf8[uri.utf8.index(after: colon)...], of: uri)
    self = try Self.decoded(path, of: uri)
  }

  private static let plainInPaths = Set("/!$&'()*+,=:@".utf8)

  private static func withoutHost(
    _ rest: Substring.UTF8View, of uri: String
  ) throws(FileURIError) -> Substring.UTF8View {
    guard rest.starts(with: "//".utf8) else { return rest }
    let afterSlashes = rest.dropFirst(2)
    let slash = afterSlashes.firstIndex(of: .slash) ?? afterSlashes.endIndex
    let host = String(Substring(afterSlashes[..<slash]))
    guard host.isEmpty || host.lowercased() == "localhost" else { throw FileURIError(uri, .otherHost(host)) }
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
