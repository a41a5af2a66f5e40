// SPDX-License-Identifier: MIT
package import MediaModel

/// Writes playlist files of all formats. Pure: the bytes go to the caller.
package enum PlaylistWriter {
  /// The bytes of a playlist in UTF-8, with bytes of paths as they are. What is below `folder`, where the file will
  /// stand, is written relative to it; without a folder every path is absolute. What the format has no field for is
  /// left out.
  /// - Throws: where the format can't say where an entry is, or which part of a file it is.
  package static func write(
    _ playlist: Playlist, as format: PlaylistFormat, in folder: FilePath? = nil
  ) throws(PlaylistError) -> [UInt8] {
    switch format {
    case .m3u, .m3u8: try M3UWriter.write(playlist, Reference(format: format, folder: folder))
    case .pls: try PLSWriter.write(playlist, Reference(format: format, folder: folder))
    case .xspf: try XSPFWriter.write(playlist, Reference(format: format, folder: folder))
    case .cue: try CueWriter.write(playlist, Reference(format: format, folder: folder))
    }
  }
}
