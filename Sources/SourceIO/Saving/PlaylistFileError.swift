// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel
package import PlaylistModel

/// Why a playlist was not saved, read or removed. The file is unchanged.
package struct PlaylistFileError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Sendable, Equatable {
    /// The file name's extension belongs to no playlist format.
    case unknownFormat
    /// The format can't hold an entry.
    case unsupported(PlaylistError)
    /// Something other than a regular file has that name; the text says what, for a person.
    case notAFile(String)
    /// A file with that name exists, and the caller did not allow replacing it.
    case exists
    /// It can't be written or removed; the system's error number.
    case unwritable(Int32)
    /// It can't be read; the system's error number.
    case unreadable(Int32)
    /// The file's content is not a playlist.
    case noPlaylist(PlaylistError)
  }

  /// The playlist file, or the folder, that the error is about.
  package let path: FilePath
  /// What went wrong.
  package let reason: Reason

  init(_ path: FilePath, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The file, the reason and what to do.
  package var description: String { "\(path): \(explanation)" }

  /// The reason and what to do.
  package var explanation: String {
    switch reason {
    case .unknownFormat:
      "not the name of a playlist; end it in one of \(Self.extensions)"
    case .unsupported(let error): "can't hold \(error)"
    case .notAFile(let what): "is \(what); choose another name"
    case .exists: "is there already; ask for it to be replaced, or choose another name"
    case .unwritable(let code): "can't be written: \(String(errno: code)); choose another folder or make room"
    case .unreadable(let code): "can't be read: \(String(errno: code))"
    case .noPlaylist(let error): error.explanation
    }
  }

  private static let extensions = PlaylistFormat.allCases.map { ".\($0)" }.joined(separator: ", ")
}
