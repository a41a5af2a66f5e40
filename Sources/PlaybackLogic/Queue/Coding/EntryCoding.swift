// SPDX-License-Identifier: MIT

/// Which parts of an entry or a source follow, in one byte.
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

  /// Writes the difference of each identity to the one before, because identities mostly count up.
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
