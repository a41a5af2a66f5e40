// SPDX-License-Identifier: MIT
package import MediaModel

/// One row of the queue: its identity and what it plays. It takes 48 bytes, plus its part of a block of text that several entries share.
///
/// Titles and other tags are kept elsewhere, by `id`.
package struct Entry: Sendable, Hashable {
  package let id: EntryID
  var text: PackedText
  /// The album that the entry is of, for shuffling by albums; may be `unknown`.
  package let album: AlbumKey
  // The span as two plain numbers, with the highest number for "none": an optional span with an optional end would take 8 bytes
  // more.
  private let spanStart: UInt32
  private let spanEnd: UInt32
  /// Whether the file was found to be missing.
  package internal(set) var isMissing: Bool

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

extension Entry {
  /// Whether this entry and its neighbour are of one album, by their tags. If neither is tagged, files of one folder and parts of one file count as
  /// an album.
  package func isOfOneAlbum(with neighbour: Entry, tags: MediaTags, neighbours: MediaTags) -> Bool {
    if span != nil, location == neighbour.location { return true }
    guard tags.album != nil || neighbours.album != nil else {
      return album != .unknown && album == neighbour.album
    }
    let artists = [tags.albumArtist, neighbours.albumArtist]
    return tags.album == neighbours.album && (artists[0] == artists[1] || artists.contains { $0.isEmpty })
  }
}

/// The identity of an entry of the queue.
///
/// The places of an entry in the list and in the play order change, but its identity never does. It is never given to another
/// entry. It comes back with the entry when a removal is undone or the agent restarts.
package struct EntryID: Sendable, Hashable, Comparable, RawRepresentable {
  /// The number itself; the queue counts up from 1.
  package let rawValue: UInt64
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
  /// The album that the entry is of, for shuffling by albums; may be `unknown`.
  package var album: AlbumKey

  package init(_ location: String, span: CueSpan? = nil, album: AlbumKey = .unknown) {
    self.location = location
    self.span = span
    self.album = album
  }
}

/// A file that was renamed or moved: its location before and now, as in `EntrySource.location`.
package struct FileRenaming: Sendable, Hashable {
  package var from: String
  package var to: String

  package init(from: String, to: String) { (self.from, self.to) = (from, to) }
}

/// The part of a file that is one track of a cue sheet.
///
/// It counts in the frames of cue sheets, 75 per second. The usual sample rates are whole multiples of 75, so the end of one
/// track and the start of the next fall on the same sample.
package struct CueSpan: Sendable, Hashable {
  package static let framesPerSecond = 75

  /// The time at which a frame begins. It is rounded up to the nanosecond: rounded down, it would lie in the sample before.
  package static func time(_ frame: UInt32) -> Duration {
    let second = framesPerSecond
    return .nanoseconds((Int(frame) * 1_000_000_000 + second - 1) / second)
  }

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

  /// The times in its file at which the part begins and ends; `whole` is the length of the file. The end is nil if only that length would tell it.
  package func times(in whole: Duration?) -> (start: Duration, end: Duration?) {
    let end = end.map(Self.time)
    return (Self.time(start), end.map { min($0, whole ?? $0) } ?? whole)
  }

  /// How long the part is in a file of this length; nil if that is not known, or if the file ends before the part begins.
  package func length(in whole: Duration?) -> Duration? {
    let (start, end) = times(in: whole)
    return end.flatMap { $0 > start ? $0 - start : nil }
  }

  /// Whether this place of the file belongs to the track.
  func contains(_ place: Duration) -> Bool {
    place >= Self.time(start) && end.map { place < Self.time($0) } ?? true
  }
}

/// Identifies an album: equal for all its entries. The queue knows nothing else about albums.
///
/// The number may come from anywhere (a library's album number, a hash of the tags), as long as equal numbers mean the same
/// album.
package struct AlbumKey: Sendable, Hashable, RawRepresentable {
  package let rawValue: UInt64
  /// The album with this number; 0 is `unknown`.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The album is not known, or not yet. Two entries of unknown album do not count as the same album.
  package static let unknown = AlbumKey(rawValue: 0)
}

// MARK: Bytes

/// The byte that is written before an `Entry` or `EntrySource`. It says which of the optional parts are written, and whether the
/// file is missing.
private struct EntryFlags: OptionSet {
  let rawValue: UInt8
  static let album = EntryFlags(rawValue: 1)
  static let span = EntryFlags(rawValue: 2)
  static let end = EntryFlags(rawValue: 4)
  static let missing = EntryFlags(rawValue: 8)
}

extension ByteWriter {
  mutating func put(_ source: EntrySource) {
    put(source.location.utf8, album: source.album, span: source.span, isMissing: false)
  }

  /// Writes entries. Of each identity it writes the difference to the one before, because identities mostly count up.
  mutating func put(_ entries: [Entry]) {
    var previous: UInt64 = 0
    put(entries) { writer, entry in
      let step = Int64(bitPattern: entry.id.rawValue &- previous)
      writer.put(UInt64(bitPattern: step << 1 ^ step >> 63))
      previous = entry.id.rawValue
      writer.put(entry.text.utf8, album: entry.album, span: entry.span, isMissing: entry.isMissing)
    }
  }

  private mutating func put(
    _ location: some Collection<UInt8>, album: AlbumKey, span: CueSpan?, isMissing: Bool
  ) {
    var flags: EntryFlags = isMissing ? .missing : []
    if album != .unknown { flags.insert(.album) }
    if let span { flags.formUnion(span.end == nil ? .span : [.span, .end]) }
    put(byte: flags.rawValue)
    put(location)
    if album != .unknown { put(fixed: album.rawValue) }
    if let span { put(UInt64(span.start)) }
    if let end = span?.end { put(UInt64(end)) }
  }
}

extension ByteReader {
  private struct Row {
    var id = EntryID(rawValue: 0)
    var location: ArraySlice<UInt8>
    var album: AlbumKey
    var span: CueSpan?
    var isMissing: Bool
  }

  mutating func source() throws(Malformed) -> EntrySource {
    let row = try row()
    return EntrySource(String(decoding: row.location, as: UTF8.self), span: row.span, album: row.album)
  }

  mutating func entries() throws(Malformed) -> [Entry] {
    var previous: UInt64 = 0
    let rows = try array { reader throws(Malformed) in
      let step = try reader.number()
      previous = previous &+ (step >> 1 ^ (0 &- (step & 1)))
      var row = try reader.row()
      row.id = EntryID(rawValue: previous)
      return row
    }
    let texts = PackedText.packing(rows.lazy.map(\.location))
    return zip(rows, texts).map { row, text in
      Entry(id: row.id, text: text, album: row.album, span: row.span, isMissing: row.isMissing)
    }
  }

  private mutating func row() throws(Malformed) -> Row {
    let flags = EntryFlags(rawValue: try byte())
    guard flags.isSubset(of: [.album, .span, .end, .missing]) else { throw Malformed() }
    let location = try text()
    let album = AlbumKey(rawValue: flags.contains(.album) ? try fixed() : 0)
    var span: CueSpan?
    if flags.contains(.span) {
      let start = try uint32()
      span = CueSpan(start: start, end: flags.contains(.end) ? try uint32() : nil)
      guard span != nil else { throw Malformed() }
    }
    return Row(location: location, album: album, span: span, isMissing: flags.contains(.missing))
  }
}
