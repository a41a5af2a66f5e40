// SPDX-License-Identifier: MIT

/// One row of the queue: its identity and what it plays. It takes 48 bytes, plus its share of a text block.
///
/// Titles and other tags are kept elsewhere, by `id`.
package struct Entry: Sendable, Hashable {
  /// The identity of the entry.
  package let id: EntryID
  var text: PackedText
  /// The album, or `unknown`.
  package internal(set) var album: AlbumKey
  // The span as two plain numbers, with the highest number for "none": an optional span with an optional end would take 8 bytes
  // more.
  private let spanStart: UInt32
  private let spanEnd: UInt32
  /// Whether the file was found to be missing.
  package internal(set) var isMissing: Bool

  /// An entry with these properties.
  package init(id: EntryID, source: EntrySource, isMissing: Bool = false) {
    self.init(id: id, text: PackedText(source.location), source: source, isMissing: isMissing)
  }

  init(id: EntryID, text: PackedText, source: EntrySource, isMissing: Bool = false) {
    self.init(id: id, text: text, album: source.album, span: source.span, isMissing: isMissing)
  }

  init(id: EntryID, text: PackedText, album: AlbumKey, span: CueSpan?, isMissing: Bool) {
    self.id = id
    self.text = text
    self.album = album
    spanStart = span?.start ?? .max
    spanEnd = span?.end ?? .max
    self.isMissing = isMissing
  }

  /// The location of the sound: a path or a URI. Makes a new string at each call.
  package var location: String { text.string }
  /// The part of the file that plays; nil for the whole file.
  package var span: CueSpan? { CueSpan(start: spanStart, end: spanEnd == .max ? nil : spanEnd) }
  /// What the entry plays, without its identity.
  package var source: EntrySource { EntrySource(location, span: span, album: album) }
}

/// The identity of an entry of the queue.
///
/// The position and the rank of an entry change, but its identity never does. It is never given to another entry. It comes back
/// with the entry when a removal is undone or the agent restarts.
package struct EntryID: Sendable, Hashable, Comparable, RawRepresentable {
  /// The number itself; the queue counts up from 1.
  package let rawValue: UInt64
  /// The identity with this number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether `left` was given out earlier than `right`.
  package static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
}

/// What to add to the queue: an entry that has no identity yet.
package struct EntrySource: Sendable, Hashable {
  /// The location of the sound: a path or a URI, exactly as it will be opened.
  package var location: String
  /// The part of the file to play; nil for the whole file.
  package var span: CueSpan?
  /// The album, for shuffling by albums.
  package var album: AlbumKey

  /// A source with this location.
  package init(_ location: String, span: CueSpan? = nil, album: AlbumKey = .unknown) {
    self.location = location
    self.span = span
    self.album = album
  }
}

/// The part of a file that is one track of a cue sheet.
///
/// It counts in the frames of cue sheets, 75 per second. The usual sample rates are whole multiples of 75, so the end of one
/// track and the start of the next fall on the same sample.
package struct CueSpan: Sendable, Hashable {
  /// Frames in a second.
  package static let framesPerSecond = 75

  /// The first frame that belongs to the track.
  package let start: UInt32
  /// The first frame after the track. Nil if the track reaches to the end of the file.
  package let end: UInt32?

  /// The span from `start` up to `end`. Nil if it would be empty, or if either is `UInt32.max` (a place after 663 days), which
  /// `Entry` uses for "none".
  package init?(start: UInt32, end: UInt32? = nil) {
    guard start < UInt32.max, end.map({ start < $0 && $0 < UInt32.max }) ?? true else { return nil }
    self.start = start
    self.end = end
  }
}

/// Identifies an album: equal for all its entries. The queue knows nothing else about albums.
///
/// The number may come from anywhere (a library's album number, a hash of the tags), as long as equal numbers mean the same
/// album.
package struct AlbumKey: Sendable, Hashable, RawRepresentable {
  /// The number itself.
  package let rawValue: UInt64
  /// The album with this number; 0 is `unknown`.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The album is not known, or not yet. Two entries of unknown album do not count as the same album.
  package static let unknown = AlbumKey(rawValue: 0)
}
