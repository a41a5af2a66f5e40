// SPDX-License-Identifier: MIT
package import MediaModel

/// Writes playlist files of all formats. It does no input or output: the bytes are returned.
package enum PlaylistWriter {
  /// The bytes of a playlist, in UTF-8 except that paths keep their bytes. Files below `folder`, in which the
  /// playlist will be saved, are written relative to it. If `folder` is nil, all paths are absolute. What the format
  /// has no field for is left out.
  /// - Throws: if the format can't express an entry's location, or the part of a file that it is.
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
