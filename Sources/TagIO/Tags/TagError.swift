// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel

/// Why a file gives no tags.
package struct TagError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Sendable, Equatable {
    /// The system's error number when it was opened.
    case unreadable(Int32)
    /// A folder, a pipe, a device or a socket.
    case notAFile
    /// Not one of the formats that are played.
    case unknownFormat
    /// It begins like one of these formats but is none of them, or it is broken.
    case broken
  }

  /// The file.
  package let path: FilePath
  /// What went wrong.
  package let reason: Reason

  init(_ path: FilePath, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The file, the reason and what to do.
  package var description: String { "\(path): \(explanation)" }

  private var explanation: String {
    switch reason {
    case .unreadable(let code): "can't be read: \(String(errno: code)); check the path and its permissions"
    case .notAFile: "not a regular file; name a sound file"
    case .unknownFormat: "not a format that is played; MP3, FLAC, Ogg, Opus, WAV, AIFF, CAF and AU are"
    case .broken: "broken; try to play it or make it anew"
    }
  }
}
