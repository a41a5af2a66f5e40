// SPDX-License-Identifier: MIT
package import MediaModel

/// Reads playlist files of all formats. Pure: the bytes come from the caller. What a file can make it spend is a
/// small multiple of its bytes.
package enum PlaylistReader {
  /// The most bytes that are read.
  package static let largestFile = 32 << 20
  /// The most entries that are kept; what follows is left out and named as a problem.
  package static let mostEntries = 200_000

  /// What a playlist holds; relative paths in it are seen from the folder of the file. Traps where the file's path
  /// is relative.
  /// - Throws: where it is no playlist, or one without end. Bad lines are not errors but problems.
  package static func read(_ bytes: [UInt8], of file: FilePath) throws(PlaylistError) -> PlaylistReading {
    precondition(file.isAbsolute, "a playlist's path must be absolute: \(file)")
    guard bytes.count <= largestFile else { throw PlaylistError(file.text, .tooLarge) }
    guard let format = PlaylistFormat(bytes: bytes, name: file) else {
      throw PlaylistError(file.text, .unrecognized)
    }
    var gathering = Gathering(folder: file.parent ?? file)
    let text = PlaylistText.normalized(bytes)
    switch format {
    case .m3u, .m3u8: M3UReader.read(text, into: &gathering)
    case .pls: PLSReader.read(text, into: &gathering)
    case .xspf: XSPFReader.read(text, into: &gathering)
    case .cue: CueReader.read(text, into: &gathering)
    }
    return PlaylistReading(format: format, playlist: gathering.playlist, problems: gathering.problems)
  }
}
