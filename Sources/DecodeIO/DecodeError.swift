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
    /// No decoder here recognises the content.
    case unknownContent
    /// The content is recognised, but uses something that its decoder cannot do.
    case unsupported
    /// The content breaks its own format's rules.
    case damaged
    /// The sound ends before the length that the file itself states.
    case cutShort
    /// The system failed to deliver the bytes, or they were not wanted any more.
    case unreadable
  }

  /// What kind of trouble it is.
  package let code: Code
  /// The file's name as its source gives it.
  package let file: String
  /// Where in the file, in bytes, if that is known.
  package let byteOffset: Int?
  /// What is wrong, and what would be right, for a person to read: the rest of a sentence that begins with the file's
  /// name.
  package let reason: String

  /// An error in a file.
  package init(_ code: Code, file: String, byteOffset: Int? = nil, reason: String) {
    self.code = code
    self.file = file
    self.byteOffset = byteOffset
    self.reason = reason
  }

  /// The error for a file that could be opened but has not a single frame.
  static func noSound(file: String) -> DecodeError {
    DecodeError(.empty, file: file, reason: "has no sound in it: not a single sample")
  }

  /// The error for a file that nobody wants measured any more.
  static func calledOff(file: String) -> DecodeError {
    DecodeError(.unreadable, file: file, reason: "was not measured to its end: the measuring was called off")
  }

  /// "song.mp3: at byte 1234: …".
  package var description: String {
    let place = byteOffset.map { " at byte \($0):" } ?? ""
    return "\(file):\(place) \(reason)"
  }
}
