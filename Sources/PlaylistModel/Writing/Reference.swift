// SPDX-License-Identifier: MIT
internal import MediaModel

/// How a playlist of a format in a folder writes where things are.
struct Reference {
  let format: PlaylistFormat
  let folder: FilePath?

  /// The path as bytes, or a URI where a line can't hold the path or it is none.
  func line(_ location: MediaLocation, avoiding special: String = "") throws(PlaylistError) -> [UInt8] {
    switch location {
    case .uri(let uri): return Array(Self.onOneLine(uri).utf8)
    case .file(let path):
      if path.bytes.contains(where: { $0 == 0x0a || $0 == 0x0d || special.utf8.contains($0) }) {
        guard path.isAbsolute else { throw PlaylistError(path.text, .pathUnsupported(format)) }
        return Array(path.uri.utf8)
      }
      return Self.unmistakable(relative(path).bytes)
    }
  }

  /// The path or URI as a URI reference.
  func uri(_ location: MediaLocation) -> String {
    switch location {
    case .uri(let uri): return Self.onOneLine(uri)
    case .file(let path):
      let relative = relative(path)
      if relative.isAbsolute { return relative.uri }
      return String(decoding: Self.unmistakable(Array(relative.uriPath.utf8)), as: UTF8.self)
    }
  }

  /// Text for a line of its own, without what would end it.
  static func words(_ text: String?) -> String? {
    PlaylistText.words(Array((text ?? "").utf8)).map { text in
      String(text.map { $0.isNewline ? " " : $0 })
    }
  }

  private func relative(_ path: FilePath) -> FilePath {
    folder.flatMap { path.relative(to: $0) } ?? path
  }

  /// A relative path that begins like a comment, like white space or like a URI gets `./` before it.
  private static func unmistakable(_ path: [UInt8]) -> [UInt8] {
    let isPlain =
      path.first != UInt8(ascii: "#") && !PlaylistText.isBlank(path[0])
      && MediaLocation.scheme(of: path) == nil
    return isPlain ? path : Array("./".utf8) + path
  }

  private static func onOneLine(_ uri: String) -> String {
    PercentEncoding.encode(uri.utf8) { $0 > 0x20 && $0 != 0x7f }
  }
}
