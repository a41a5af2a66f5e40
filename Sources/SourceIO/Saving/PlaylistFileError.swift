// SPDX-License-Identifier: MIT
internal import FileIO
public import MediaModel
public import PlaylistModel

/// Why a playlist was not saved; the file is as it was.
public struct PlaylistFileError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Reason: Sendable, Equatable {
    /// The name's extension is that of no format.
    case unknownFormat
    /// The format can't hold an entry.
    case unsupported(PlaylistError)
    /// Something else than a file has that name; what, for a person.
    case notAFile(String)
    /// The system's error number.
    case unwritable(Int32)
  }

  /// Where it was to be saved.
  public let path: FilePath
  /// What went wrong.
  public let reason: Reason

  init(_ path: FilePath, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The file, the reason and what to do.
  public var description: String { "\(path): \(explanation)" }

  /// The reason and what to do.
  public var explanation: String {
    switch reason {
    case .unknownFormat:
      "not the name of a playlist; end it in one of \(Self.extensions)"
    case .unsupported(let error): "can't hold \(error)"
    case .notAFile(let what): "is \(what); choose another name"
    case .unwritable(let code): "can't be written: \(String(errno: code)); choose another folder or make room"
    }
  }

  private static let extensions = PlaylistFormat.allCases.map { ".\($0)" }.joined(separator: ", ")
}
