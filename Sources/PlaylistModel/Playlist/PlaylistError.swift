// SPDX-License-Identifier: MIT

/// Why a playlist can't be read or written at all.
package struct PlaylistError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Sendable, Equatable {
    /// Neither content nor name is that of a playlist.
    case unrecognized
    /// More bytes than any playlist has.
    case tooLarge
    /// The format has no way to name this stretch of a file.
    case partsUnsupported(PlaylistFormat)
    /// The format has no way to write this path.
    case pathUnsupported(PlaylistFormat)
    /// A CUE sheet has 99 tracks at most.
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

  /// The thing, the reason and what to do.
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
