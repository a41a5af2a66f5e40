// SPDX-License-Identifier: MIT
package import MediaModel

/// Reads playlist files of all formats. It does no input or output: the caller passes the bytes. The memory and time
/// that it uses are at most a small multiple of the file's size, whatever the file contains.
package enum PlaylistReader {
  /// The largest file that is read, in bytes.
  package static let largestFile = 32 << 20
  /// The most entries that are kept. Further ones are left out, and a problem says so.
  package static let mostEntries = 200_000

  /// Reads a playlist. Relative paths in it start at the folder of the file. Traps if the file's path is relative.
  /// - Throws: if it is not a playlist or is too large. Invalid lines are reported as problems instead.
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
