// SPDX-License-Identifier: MIT
package import MediaModel

/// Everything the listener said about one sound, whether its file is in the library at the moment or not.
package struct ListeningEntry: Sendable, Hashable {
  package var path: FilePath
  package var fingerprint: AudioFingerprint?
  package var listening: ListeningRecord
  /// Where it is resumed; nil for its beginning.
  package var place: Duration?
  package var notes: [String: String]

  package init(
    _ path: FilePath, fingerprint: AudioFingerprint? = nil, listening: ListeningRecord = ListeningRecord(),
    place: Duration? = nil, notes: [String: String] = [:]
  ) {
    (self.path, self.fingerprint, self.listening) = (path, fingerprint, listening)
    (self.place, self.notes) = (place, notes)
  }

  /// Whose word counts where two entries say different things of one sound.
  package enum Preference: Sendable, Hashable {
    case ours
    case theirs
  }

  /// Adds what another entry says of the same sound, so that nothing is lost which either of them has. Returns how many ratings and
  /// notes differ, for which only one can be kept.
  ///
  /// Counts become the higher ones and not the sum: taking over the same file twice must change nothing the second time. The resume
  /// place goes with the later listening, because a place that is nil may mean that the sound was heard to its end since.
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

/// What taking over a file with entries came to.
package struct ImportReport: Sendable, Hashable {
  /// Entries whose sound the library has, wherever its file is.
  package var bySound = 0
  /// Entries whose sound the library does not have, but whose path it has.
  package var byPath = 0
  /// Entries that are kept until their files are in the library.
  package var waiting = 0
  /// Smart playlists that were taken over.
  package var playlists = 0
  /// Ratings, notes and smart playlists that were different here; one of the two was kept.
  package var different = 0
  /// Lines that could not be read.
  package var unreadable = 0
  /// What was wrong with the first of them, a sentence each.
  package var problems: [String] = []

  package init() {}

  /// How many entries were taken over.
  package var sounds: Int { bySound + byPath + waiting }
}
