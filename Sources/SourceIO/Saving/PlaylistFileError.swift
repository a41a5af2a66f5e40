// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel
package import PlaylistModel

/// Why a playlist was not saved, read or removed; the file is as it was.
package struct PlaylistFileError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Sendable, Equatable {
    /// The name's extension is that of no format.
    case unknownFormat
    /// The format can't hold an entry.
    case unsupported(PlaylistError)
    /// Something else than a file has that name; what, for a person.
    case notAFile(String)
    /// A file has that name, and nobody said that it may be replaced.
    case exists
    /// It can't be written or removed: the system's error number.
    case unwritable(Int32)
    /// It can't be read: the system's error number.
    case unreadable(Int32)
    /// What it holds is no playlist.
    case noPlaylist(PlaylistError)
  }

  /// Where it was to be saved.
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
