// SPDX-License-Identifier: MIT
import FileIO
import MediaModel
import ReaderModel
import TagIO

extension TagReader {
  /// The tags of the file at a path, as the agent and the reader's process get them together.
  func tags(of path: FilePath) throws -> FileTags {
    try tags(of: OpenFile(path), isNamedMPEG: Self.isNamedMPEG(path))
  }

  func picture(of path: FilePath) throws -> CoverPicture? {
    try picture(of: OpenFile(path), isNamedMPEG: Self.isNamedMPEG(path))
  }

  private static func isNamedMPEG(_ path: FilePath) -> Bool {
    SoundFormat.mpeg.extensions.contains(path.pathExtension)
  }
}
