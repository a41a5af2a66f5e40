// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel

/// The result of reading a file's tags.
package struct FileTags: Sendable, Equatable {
  /// The tags' values, and the length that the file states; playing may find another.
  package var tags: MediaTags
  /// The sound's rate and channels; nil if the file doesn't state them or they can't be played.
  package var format: AudioFormat?
  /// The bit rate in thousands of bits a second; nil if not known.
  package var kilobits: Int?
  package var hasPicture: Bool
  /// Recognises the sound after its file was moved or tagged anew; nil if the file has no sound that could be told from
  /// another.
  package var fingerprint: AudioFingerprint?

  package init(
    tags: MediaTags = MediaTags(), format: AudioFormat? = nil, kilobits: Int? = nil, hasPicture: Bool = false,
    fingerprint: AudioFingerprint? = nil
  ) {
    (self.tags, self.format, self.kilobits) = (tags, format, kilobits)
    (self.hasPicture, self.fingerprint) = (hasPicture, fingerprint)
  }
}

/// Why a file gives no tags.
package enum ReadFailure: Error, Sendable, Hashable {
  /// The file can't be opened or read; the value is the system's error number.
  case unreadable(Int32)
  /// The path leads to a folder, a device or something else that is no regular file.
  case notAFile
  case unknownFormat
  /// The format is known, but what the file says of its sound is missing or damaged.
  case broken
  /// Reading the file ended the process that reads tags, or made it hang. The file is not read again until it changes. The text says what happened,
  /// worded as the end of a sentence.
  case killedReader(String)
  /// The process that reads tags can't be started. The text says why, worded as the end of a sentence, and what to do.
  case readerMissing(String)
}

extension ReadFailure: CustomStringConvertible {
  /// The reason and the remedy, worded as the end of a sentence that begins with the file.
  package var description: String {
    switch self {
    case .unreadable(let code): "can't be read (error \(code)); check the path and its permissions"
    case .notAFile: "not a regular file; name a sound file"
    case .unknownFormat: "not a format that is played; 'fermata help play' lists those that are"
    case .broken: "broken; try to play it or make it anew"
    case .killedReader(let reason):
      "its tags can't be read: \(reason); it is left alone until it changes, and may play all the same"
    case .readerMissing(let reason): "its tags can't be read: \(reason)"
    }
  }
}
