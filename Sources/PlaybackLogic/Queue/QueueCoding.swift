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

/// Modes are written as their index in `allCases`. So a new mode must be added at the end, or stored bytes change their meaning.
extension ByteWriter {
  mutating func put(_ mode: some CaseIterable & Equatable) {
    // `allCases` contains every value, so 0 is never used as a fallback.
    put(byte: UInt8(Array(type(of: mode).allCases).firstIndex(of: mode) ?? 0))
  }

  mutating func put(_ choice: ModeChoice<some CaseIterable & Hashable & Sendable>) {
    switch choice {
    case .default: put(false)
    case .chosen(let mode):
      put(true)
      put(mode)
    }
  }

  mutating func put(optional choice: ModeChoice<some CaseIterable & Hashable & Sendable>?) {
    put(choice != nil)
    if let choice { put(choice) }
  }

  /// Writes a choice. If `other` is not nil, a byte 2 and `other` come before it. A choice on its own begins with 0 or 1, so the
  /// reader can tell the two forms apart.
  mutating func put<Mode: CaseIterable & Hashable & Sendable>(
    _ choice: ModeChoice<Mode>, besides other: ModeChoice<Mode>?
  ) {
    if let other {
      put(byte: 2)
      put(other)
    }
    put(choice)
  }
}

extension ByteReader {
  mutating func mode<Mode: CaseIterable>() throws(Malformed) -> Mode {
    let (modes, number) = (Array(Mode.allCases), Int(try byte()))
    guard modes.indices.contains(number) else { throw Malformed() }
    return modes[number]
  }

  mutating func choice<Mode: CaseIterable>() throws(Malformed) -> ModeChoice<Mode> {
    try flag() ? .chosen(try mode()) : .default
  }

  mutating func optionalChoice<Mode: CaseIterable>() throws(Malformed) -> ModeChoice<Mode>? {
    try flag() ? try choice() : nil
  }

  mutating func choices<Mode: CaseIterable>() throws(Malformed) -> (ModeChoice<Mode>, ModeChoice<Mode>?) {
    var other: ModeChoice<Mode>?
    if skip(2) { other = try choice() }
    return (try choice(), other)
  }
}

/// Each part of a step begins with a byte that tells its kind. Where something was added to a part in a later version, the
/// extended part has a kind of its own, so that older steps can still be read. The listener's place is written like one more
/// part.
extension ByteWriter {
  mutating func put(_ step: UndoStep) {
    let hasPlace = step.lostPlace > .zero
    put(step.parts.count + (hasPlace ? 1 : 0))
    for part in step.parts { put(part) }
    if hasPlace {
      put(byte: 6)
      put(step.lostPlace)
    }
    put(step.lostCurrent?.rawValue ?? 0)
  }

  private mutating func put(_ part: UndoStep.Part) {
    switch part {
    case .insert(let entries, let positions, let places, let asked):
      put(byte: asked.isEmpty ? 0 : 3)
      put(entries)
      put(positions)
      put(places.map { [$0] } ?? []) { $0.put($1) }
      if !asked.isEmpty { put(asked) }
    case .remove(let positions):
      put(byte: 1)
      put(positions)
    case .move(let rows, let target, let asked):
      put(byte: asked.isEmpty ? 2 : 4)
      put(rows)
      put(target)
      if !asked.isEmpty { put(asked) }
    case .shuffleList(let choice):
      put(byte: 5)
      put(optional: choice)
    }
  }

  private mutating func put(_ places: UndoStep.OrderPlaces) {
    put(places.pass)
    put(places.cursor + 1)
    put(places.ranks) { $0.put(UInt64($1)) }
  }
}

extension ByteReader {
  mutating func step() throws(Malformed) -> UndoStep {
    var step = UndoStep(parts: [])
    for _ in 0..<(try int()) {
      if skip(6) { step.lostPlace = try place() } else { step.parts.append(try part()) }
    }
    let lost = try number()
    if lost != 0 { step.lostCurrent = EntryID(rawValue: lost) }
    return step
  }

  private mutating func part() throws(Malformed) -> UndoStep.Part {
    let kind = try byte()
    switch kind {
    case 0, 3:
      let (entries, positions) = (try entries(), try positions())
      let places = try array { reader throws(Malformed) in try reader.places() }.first
      return .insert(
        entries, at: positions, places: places, asked: kind == 3 ? try self.positions() : RangeSet())
    case 1: return .remove(try positions())
    case 2, 4: return .move(try range(), to: try int(), asked: kind == 4 ? try positions() : RangeSet())
    case 5: return .shuffleList(try optionalChoice())
    default: throw Malformed()
    }
  }

  private mutating func places() throws(Malformed) -> UndoStep.OrderPlaces {
    let (pass, cursor) = (try number(), try int() - 1)
    let ranks = try array { reader throws(Malformed) in try reader.uint32() }
    return UndoStep.OrderPlaces(pass: pass, cursor: cursor, ranks: ranks)
  }
}
