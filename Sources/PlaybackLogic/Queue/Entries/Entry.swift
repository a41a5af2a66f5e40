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
