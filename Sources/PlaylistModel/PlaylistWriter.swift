// SPDX-License-Identifier: MIT
package import MediaModel

/// Writes playlist files of all formats. It does no input or output: the bytes are returned.
package enum PlaylistWriter {
  /// The bytes of a playlist, in UTF-8 except that paths keep their bytes. Files below `folder`, in which the playlist will be saved, are written
  /// relative to it. If `folder` is nil, all paths are absolute. Facts for which the format has no field are left out.
  ///
  /// - Throws: if the format can't express an entry's location, or the part of a file that it is; and if the playlist is so large that it would not be
  ///   read again.
  package static func write(
    _ playlist: Playlist, as format: PlaylistFormat, in folder: FilePath? = nil
  ) throws(PlaylistError) -> [UInt8] {
    let bytes = try bytes(playlist, as: format, in: folder)
    try check(bytes, count: playlist.entries.count)
    return bytes
  }

  /// The bytes of an M3U file with further entries at its end. What the file has stays byte for byte, with the comments of other programs. Nil if it is not
  /// UTF-8, so that what is added to it would be read in another character set; then it has to be read and written anew.
  private static func appended(
    _ entries: [PlaylistEntry], to file: [UInt8], in folder: FilePath?
  ) throws(PlaylistError) -> [UInt8]? {
    guard String(validating: file, as: UTF8.self) != nil else { return nil }
    let lines = try M3UWriter.lines(entries, Reference(format: .m3u8, folder: folder))
    return file + (file.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]) + lines
  }

  /// The bytes of a playlist file with further entries at its end, which are written as `write` does. Relative paths in `bytes` start at the folder of
  /// `file`. Its content says the format; `format` is for a file that is empty.
  ///
  /// - Throws: if the file is not a playlist, if a part of it can't be read and would be lost, or as `write` does.
  package static func append(
    _ entries: [PlaylistEntry], to bytes: [UInt8], of file: FilePath, as format: PlaylistFormat,
    host: String?,
    in folder: FilePath?
  ) throws(PlaylistError) -> [UInt8] {
    guard !bytes.isEmpty else { return try write(Playlist(entries: entries), as: format, in: folder) }
    let reading = try PlaylistReader.read(bytes, of: file, host: host)
    var playlist = reading.playlist
    playlist.entries += entries
    if [.m3u, .m3u8].contains(reading.format), let whole = try appended(entries, to: bytes, in: folder) {
      try check(whole, count: playlist.entries.count)
      return whole
    }
    // What can't be read would be gone from the file.
    if let problem = reading.problems.first { throw PlaylistError(file.text, .damaged("\(problem)")) }
    return try write(playlist, as: reading.format, in: folder)
  }

  /// The bytes of a playlist file without some of its entries, counted from 1. An M3U file keeps all else byte for byte; other formats are written anew.
  /// The other arguments are those of `append`.
  ///
  /// - Throws: if the file is not a playlist, if a part of it can't be read and would be lost, or as `write` does.
  package static func remove(
    _ rows: Set<Int>, from bytes: [UInt8], of file: FilePath, host: String?, in folder: FilePath?
  ) throws(PlaylistError) -> [UInt8] {
    let reading = try PlaylistReader.read(bytes, of: file, host: host)
    // Rows are counted as the reader counts them, which a line that can't be read may change.
    if let problem = reading.problems.first { throw PlaylistError(file.text, .damaged("\(problem)")) }
    var playlist = reading.playlist
    if [.m3u, .m3u8].contains(reading.format) {
      let (rest, count) = M3UWriter.removing(rows, from: bytes)
      if count == playlist.entries.count { return rest }
    }
    playlist.entries = playlist.entries.enumerated().filter { !rows.contains($0.offset + 1) }.map(\.element)
    return try write(playlist, as: reading.format, in: folder)
  }

  /// Throws if a file of so many entries would not be read again.
  private static func check(_ bytes: [UInt8], count: Int) throws(PlaylistError) {
    guard count <= PlaylistReader.mostEntries else {
      throw PlaylistError("\(count) entries", .tooManyEntries)
    }
    guard bytes.count <= PlaylistReader.largestFile else {
      throw PlaylistError("\(count) entries", .tooLarge)
    }
  }

  private static func bytes(
    _ playlist: Playlist, as format: PlaylistFormat, in folder: FilePath?
  ) throws(PlaylistError) -> [UInt8] {
    switch format {
    case .m3u, .m3u8: try M3UWriter.write(playlist, Reference(format: format, folder: folder))
    case .pls: try PLSWriter.write(playlist, Reference(format: format, folder: folder))
    case .xspf: try XSPFWriter.write(playlist, Reference(format: format, folder: folder))
    case .cue: try CueWriter.write(playlist, Reference(format: format, folder: folder))
    }
  }
}

/// Writes the locations of entries in the form that a playlist of this format needs if it is saved in this folder.
struct Reference {
  let format: PlaylistFormat
  let folder: FilePath?

  /// The location of an entry as a line of the playlist: a path as bytes, or a URI. A path also becomes a URI if it contains a line break or a
  /// character of `special`; throws if such a path is relative.
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

  /// The location of an entry as a URI, which is relative if the file lies below the playlist's folder.
  func uri(_ location: MediaLocation) -> String {
    switch location {
    case .uri(let uri): return Self.onOneLine(uri)
    case .file(let path):
      let relative = relative(path)
      if relative.isAbsolute { return relative.uri }
      let uri = relative.uriPath
      // By RFC 3986 whatever stands before a colon in the first name of a path is a scheme.
      if uri.prefix(while: { $0 != "/" }).contains(":") { return "./" + uri }
      return String(decoding: Self.unmistakable(Array(uri.utf8)), as: UTF8.self)
    }
  }

  /// A text in the form that fits on one line: trimmed, and with line breaks replaced by spaces; nil if it is empty.
  static func words(_ text: String?) -> String? {
    PlaylistText.words(Array((text ?? "").utf8)).map { text in
      String(text.map { $0.isNewline ? " " : $0 })
    }
  }

  private func relative(_ path: FilePath) -> FilePath {
    folder.flatMap { path.relative(to: $0) } ?? path
  }

  /// Puts `./` before a relative path that could be mistaken for a comment or a URI, or that begins with white space.
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
