// SPDX-License-Identifier: MIT

/// One row of the queue: who it is and what it plays, in 48 bytes and its share of a text block.
///
/// Titles and the like stand elsewhere, under `id`.
package struct Entry: Sendable, Hashable {
  /// Who it is.
  package let id: EntryID
  var text: PackedText
  /// Its album, as far as it is known.
  package internal(set) var album: AlbumKey
  // A span by hand: an optional of an optional would be 8 bytes more. The highest number says "none".
  private let spanStart: UInt32
  private let spanEnd: UInt32
  /// Whether its file was found to be gone.
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

  /// Where its sound is: a path or a URI. A new string at each call.
  package var location: String { text.string }
  /// The part of it that plays; nothing for all of it.
  package var span: CueSpan? { CueSpan(start: spanStart, end: spanEnd == .max ? nil : spanEnd) }
  /// What it plays, without who it is.
  package var source: EntrySource { EntrySource(location, span: span, album: album) }
}
