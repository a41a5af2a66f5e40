// SPDX-License-Identifier: MIT
package import MediaModel

/// The listener's ratings, counts, notes and place for one sound, whether or not its file is in the library at the moment.
package struct ListeningEntry: Sendable, Hashable {
  package var path: FilePath
  /// Where the part of the file begins that these ratings and counts are of; nil for the whole file.
  package var start: DiscTime?
  package var fingerprint: AudioFingerprint?
  package var listening: ListeningRecord
  /// The place where the sound resumes; nil for its beginning.
  package var place: Duration?
  package var notes: [String: String]

  package init(
    _ path: FilePath, start: DiscTime? = nil, fingerprint: AudioFingerprint? = nil,
    listening: ListeningRecord = ListeningRecord(), place: Duration? = nil, notes: [String: String] = [:]
  ) {
    (self.path, self.start, self.fingerprint, self.listening) = (path, start, fingerprint, listening)
    (self.place, self.notes) = (place, notes)
  }

  /// Which of two entries counts if they have different values for one sound.
  package enum Preference: Sendable, Hashable {
    case ours
    case theirs
  }

  /// Merges another entry for the same sound into this one, so that no value that only one of them has is lost. Returns how many ratings and notes
  /// differ, because only one of two can be kept.
  ///
  /// Of two counts the higher one is taken and not the sum, so that importing the same file twice changes nothing the second time. The resume place
  /// is taken from the entry with the later listening, even if it is nil there, because the sound may have been heard to its end since.
  package mutating func merge(_ other: ListeningEntry, preferring preference: Preference = .ours) -> Int {
    var differences = 0
    if (other.listening.lastPlayed ?? .min) > (listening.lastPlayed ?? .min) {
      place = other.place
    } else if other.listening.lastPlayed == listening.lastPlayed {
      place = preference == .ours ? place ?? other.place : other.place ?? place
    }
    listening.playCount = max(listening.playCount, other.listening.playCount)
    listening.skipCount = max(listening.skipCount, other.listening.skipCount)
    listening.lastPlayed = [listening.lastPlayed, other.listening.lastPlayed].compactMap { $0 }.max()
    if listening.rating == 0 || other.listening.rating == 0 {
      listening.rating = max(listening.rating, other.listening.rating)
    } else if listening.rating != other.listening.rating {
      differences += 1
      if preference == .theirs { listening.rating = other.listening.rating }
    }
    for (key, text) in other.notes {
      if let own = notes[key], own != text {
        differences += 1
        if preference == .ours { continue }
      }
      notes[key] = text
    }
    return differences
  }
}

/// The outcome of importing a file with ratings, counts, notes and smart playlists (`ListeningFile`).
package struct ImportReport: Sendable, Hashable {
  /// How many imported entries were matched to an item of the library by the sound, wherever its file is.
  package var bySound = 0
  /// How many imported entries were not matched by the sound, but by the path of its file.
  package var byPath = 0
  /// How many imported entries wait until their files are in the library.
  package var waiting = 0
  /// How many smart playlists were imported.
  package var playlists = 0
  /// How many imported ratings, notes and smart playlists differed from those of this library; one of each two was kept.
  package var different = 0
  /// How many lines of the imported file could not be read.
  package var unreadable = 0
  /// What is wrong with the first lines that could not be read, a sentence each.
  package var problems: [String] = []

  package init() {}

  /// How many entries were imported, each with the ratings, counts and notes of one sound.
  package var sounds: Int { bySound + byPath + waiting }
}
