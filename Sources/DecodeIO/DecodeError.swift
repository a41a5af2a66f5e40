// SPDX-License-Identifier: MIT

/// Why a file cannot be played, or cannot be played on.
package struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of trouble it is, for those who branch on it.
  package enum Code: Sendable, CaseIterable {
    /// The file cannot be opened: it is not there, or not ours to read.
    case cannotOpen
    /// The path names a directory, a device or a pipe.
    case notAFile
    /// There is nothing in it, or no sound.
    case empty
    /// The content is none that a decoder here recognises.
    case unknownContent
    /// The content is recognised, but uses something that its decoder cannot do.
    case unsupported
    /// The content breaks its own format's rules.
    case damaged
    /// The sound ends before the length that the file itself states.
    case cutShort
    /// The system failed to deliver the bytes.
    case unreadable
  }

  /// What kind of trouble it is.
  package let code: Code
  /// The file's name as its source gives it.
  package let file: String
  /// Where in the file, in bytes, if that is known.
  package let byteOffset: Int?
  /// A sentence's rest that a person can read: what is wrong, and what would be right.
  package let reason: String

  /// An error in a file.
  package init(_ code: Code, file: String, byteOffset: Int? = nil, reason: String) {
    self.code = code
    self.file = file
    self.byteOffset = byteOffset
    self.reason = reason
  }

  /// An error in a file that was opened, and has not a single frame.
  static func noSound(file: String) -> DecodeError {
    DecodeError(.empty, file: file, reason: "has no sound in it: not a single sample")
  }

  /// "song.mp3: at byte 1234: …".
  package var description: String {
    let place = byteOffset.map { " at byte \($0):" } ?? ""
    return "\(file):\(place) \(reason)"
  }
}
