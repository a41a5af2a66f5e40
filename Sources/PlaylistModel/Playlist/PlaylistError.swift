// SPDX-License-Identifier: MIT

/// Why a playlist can't be read or written at all.
package struct PlaylistError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Sendable, Equatable {
    /// Neither the content nor the name is that of a playlist.
    case unrecognized
    /// It has more bytes than any real playlist.
    case tooLarge
    /// The format can't express a part of a file.
    case partsUnsupported(PlaylistFormat)
    /// The format can't express this path.
    case pathUnsupported(PlaylistFormat)
    /// There are more tracks than the 99 that a CUE sheet can have.
    case tooManyTracks
  }

  /// The playlist, or the entry that can't be written.
  package let subject: String
  /// What went wrong.
  package let reason: Reason

  init(_ subject: String, _ reason: Reason) {
    self.subject = subject
    self.reason = reason
  }

  /// The subject, the reason and what to do.
  package var description: String { "\(subject): \(explanation)" }

  /// The reason and what to do.
  package var explanation: String {
    switch reason {
    case .unrecognized: "not a playlist; M3U, PLS, XSPF and CUE are read"
    case .tooLarge: "too large for a playlist; split it"
    case .partsUnsupported(let format): "part of a file, which \(format) can't say; save as m3u8 or xspf"
    case .pathUnsupported(let format): "a path that \(format) can't hold; save as xspf"
    case .tooManyTracks: "more than 99 tracks, which cue can't number; save as m3u8 or xspf"
    }
  }
}
