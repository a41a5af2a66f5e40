// SPDX-License-Identifier: MIT

/// The steps for undo and redo. A value that is part of the queue and is stored with it.
///
/// It is limited both by the number of steps and by the number of entries they hold, because a hundred clears of a long queue hold as much as a
/// hundred queues. The latest step is kept however much it holds, so a clear can always be undone.
///
/// When a played entry leaves the list, that is a step too, although nobody asked for it. Of many such steps in a row, only the last few stay
/// separate, and the older ones are joined into one. So after an evening of music there is still room for the edit that somebody made before it.
struct UndoLog: Sendable, Hashable {
  /// The largest number of steps to undo, and also of steps to redo.
  static let depth = 100
  /// The largest `weight` of all steps together, which limits the memory that they take.
  static let capacity = 1_000_000
  /// How many steps that only bring back an entry that was played may follow each other, before the two oldest are joined.
  static let consumedSteps = 10

  /// The steps to undo. The last one undoes the latest edit.
  private(set) var undo: [UndoStep] = []
  /// The steps to redo. The last one redoes the edit that was undone last.
  private(set) var redo: [UndoStep] = []
  /// How many entries and ranges of positions all steps hold, which is a measure of the memory that they take.
  private(set) var weight = 0

  /// A log made from stored steps. If they exceed the limits, the oldest are dropped.
  init(undo: [UndoStep] = [], redo: [UndoStep] = []) {
    for step in redo { push(step, isRedo: true) }
    for step in undo { push(step, isRedo: false) }
  }

  /// Records the step that undoes a new edit. All steps to redo are dropped.
  mutating func record(_ step: UndoStep) {
    weight -= redo.reduce(0) { $0 + $1.weight }
    redo = []
    push(step, isRedo: false)
    joinConsumed()
  }

  /// If too many of the latest steps only bring back played entries, joins the two oldest of these into one.
  private mutating func joinConsumed() {
    let run = undo.reversed().prefix { $0.isOfConsumed }.count
    guard run > Self.consumedSteps else { return }
    let first = undo.count - run
    // Joining does not change the total weight.
    undo[first].join(undo.remove(at: first + 1))
  }

  /// Removes and returns the next step to undo, or to redo if `isRedo`. Nil if there is none.
  mutating func pop(isRedo: Bool) -> UndoStep? {
    let step = isRedo ? redo.popLast() : undo.popLast()
    weight -= step?.weight ?? 0
    return step
  }

  /// The last step to undo, or to redo if `inRedo`.
  func last(inRedo: Bool) -> UndoStep? { inRedo ? redo.last : undo.last }

  /// Notes, in the last step to undo (or to redo if `inRedo`), where the listener was in the current entry that its edit removed.
  mutating func noteLostPlace(_ place: Duration, inRedo: Bool) {
    if inRedo {
      if let last = redo.indices.last { redo[last].lostPlace = place }
    } else if let last = undo.indices.last {
      undo[last].lostPlace = place
    }
  }

  /// Notes, in the last step to undo, which entry was current before one that its edit added played instead, and where the listener was in it.
  mutating func noteLeft(_ entry: EntryID, at place: Duration) {
    if let last = undo.indices.last { (undo[last].lostCurrent, undo[last].lostPlace) = (entry, place) }
  }

  /// The texts of all entries that steps would bring back.
  var texts: some Sequence<PackedText> { (undo + redo).lazy.flatMap { $0.entries.lazy.map(\.text) } }

  /// Gives the entries with one of these texts another one, so that they come back with it.
  mutating func exchange(_ texts: [PackedText: PackedText]) {
    for index in undo.indices { undo[index].exchange(texts) }
    for index in redo.indices { redo[index].exchange(texts) }
  }

  /// Adds a step to undo, or to redo if `isRedo`, and drops old steps beyond the limits.
  mutating func push(_ step: UndoStep, isRedo: Bool) {
    if isRedo { redo.append(step) } else { undo.append(step) }
    weight += step.weight
    while undo.count > Self.depth { weight -= undo.removeFirst().weight }
    while redo.count > Self.depth { weight -= redo.removeFirst().weight }
    // The oldest steps are dropped first, and steps to redo before steps to undo, but never the one just added.
    while weight > Self.capacity, undo.count + redo.count > 1 {
      let fromRedo = !redo.isEmpty && (redo.count > 1 || !isRedo)
      weight -= fromRedo ? redo.removeFirst().weight : undo.removeFirst().weight
    }
  }
}

/// The actions that take one edit back. A value that is stored, so undo still works after the agent restarts.
struct UndoStep: Sendable, Hashable {
  /// One action of a step.
  enum Part: Sendable, Hashable {
    /// Put these entries back at these positions, and at their `places` in the play order. `asked` holds the indices, within
    /// these entries, of those that somebody had asked to hear next.
    case insert([Entry], at: RangeSet<Int>, places: OrderPlaces?, asked: RangeSet<Int> = RangeSet())
    /// Remove the entries at these positions.
    case remove(RangeSet<Int>)
    /// Move these rows so that the first of them stands at `to`. `asked` holds the indices, within these rows, of the entries
    /// that before the edit counted as those that somebody asked to hear next.
    case move(Range<Int>, to: Int, asked: RangeSet<Int> = RangeSet())
    /// Let rows exchange their entries. `asked` holds the indices, within these rows before that, of the entries that before the
    /// edit counted as those that somebody asked to hear next.
    case arrange(Arrangement, asked: RangeSet<Int> = RangeSet())
    /// Set the list's own shuffle mode. With nil, the mode chosen for all lists applies.
    case shuffleList(ModeChoice<ShuffleMode>?)
  }

  /// Where removed entries stood in a shuffled play order.
  struct OrderPlaces: Sendable, Hashable {
    /// The number of that play order (`ShuffleOrder.pass`). In another one the places mean nothing.
    var pass: UInt64
    /// How far the play order was played before the edit that this step undoes: the place of the current entry in it, counted
    /// from 0, or -1 if none was current. The entries up to there had been played.
    var cursor: Int
    /// Whether that play order kept albums together; nil if an earlier version noted the places.
    var byAlbum: Bool?
    /// The place of each entry in the play order, counted from 0, in the order of the entries that `Part.insert` brings back.
    var ranks: [UInt32]
  }

  /// The actions, in the order in which they are to be done.
  var parts: [Part]
  /// The entry that was current before and is not since: the edit removed it, or added another one that plays instead. Nil if there is none. Taking the
  /// edit back makes it current again if nothing else is current by then, or if that takes out what is.
  var lostCurrent: EntryID?
  /// The listener's place in `lostCurrent`; zero until it is noted.
  var lostPlace = Duration.zero
  /// Whether the step only brings back entries that left the list because they were played.
  var isOfConsumed = false

  /// Adds the actions of a later step to this one, so that one undo takes both edits back, the later one first.
  mutating func join(_ later: UndoStep) {
    parts = later.parts + parts
    if later.lostCurrent != nil { (lostCurrent, lostPlace) = (later.lostCurrent, later.lostPlace) }
  }

  /// Whether taking the edit back puts entries into the list again.
  var bringsBack: Bool { parts.contains { if case .insert = $0 { true } else { false } } }

  /// The entries that the step would bring back.
  var entries: [Entry] {
    parts.flatMap { part -> [Entry] in
      if case .insert(let entries, _, _, _) = part { entries } else { [] }
    }
  }

  mutating func exchange(_ texts: [PackedText: PackedText]) {
    for index in parts.indices {
      guard case .insert(var entries, let positions, let places, let asked) = parts[index] else { continue }
      for row in entries.indices {
        if let text = texts[entries[row].text] { (entries[row].text, entries[row].isMissing) = (text, false) }
      }
      parts[index] = .insert(entries, at: positions, places: places, asked: asked)
    }
  }

  /// How many entries and ranges of positions the step holds in memory.
  var weight: Int {
    parts.reduce(0) { weight, part in
      switch part {
      case .insert(let entries, let positions, _, let asked):
        weight + entries.count + positions.ranges.count + asked.ranges.count
      case .remove(let positions): weight + positions.ranges.count
      case .move(_, _, let asked): weight + 1 + asked.ranges.count
      // A row takes four bytes, and an entry at least ten times as many.
      case .arrange(let arrangement, let asked):
        weight + 1 + arrangement.origins.count / 8 + arrangement.rows.count + asked.ranges.count
      case .shuffleList: weight + 1
      }
    }
  }

  /// Whether the step can be done to a list of this length. `isPresent` tells whether an entry is in that list, and `entries` which
  /// are at positions of it. A stored step has to be checked because it may not belong to the list that was stored with it.
  func fits(
    count: Int, isPresent: (EntryID) -> Bool, entries present: (RangeSet<Int>) -> [EntryID]
  ) -> Bool {
    var count = count
    var comers: [EntryID] = []
    // Entries that the first part takes out may be put back elsewhere by the next one.
    var gone = Set<EntryID>()
    if parts.count > 1, case .remove(let positions)? = parts.first, positions.lies(within: count) {
      gone = Set(present(positions))
    }
    for part in parts {
      switch part {
      case .insert(let entries, let positions, let places, let asked):
        count += entries.count
        guard positions.lies(within: count), positions.size == entries.count,
          asked.lies(within: entries.count),
          places.map({ $0.ranks.count == entries.count }) ?? true,
          count == entries.count || !entries.contains(where: { isPresent($0.id) && !gone.contains($0.id) })
        else { return false }
        comers += entries.lazy.map(\.id)
      case .remove(let positions):
        guard positions.lies(within: count) else { return false }
        count -= positions.size
      case .move(let rows, let target, let asked):
        guard rows.lowerBound >= 0, rows.upperBound <= count, (0...count - rows.count).contains(target),
          asked.lies(within: rows.count)
        else { return false }
      case .arrange(let arrangement, let asked):
        guard arrangement.fits(count), asked.lies(within: arrangement.origins.count) else { return false }
      case .shuffleList: break
      }
    }
    // Identities usually come in ascending order, which proves that none occurs twice. Otherwise a set finds out.
    return zip(comers, comers.dropFirst()).allSatisfy(<) || Set(comers).count == comers.count
  }
}

extension RangeSet<Int> {
  var size: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Whether all positions are within a list of this length.
  func lies(within count: Int) -> Bool {
    (ranges.first?.lowerBound ?? 0) >= 0 && (ranges.last?.upperBound ?? 0) <= count
  }
}

// MARK: Bytes

/// Each part of a step begins with a byte that tells its kind. When a later version added something to a part, the extended part got a new kind, so
/// that older steps can still be read. The listener's place, and the mark of a step of played entries, are written as further parts.
extension ByteWriter {
  mutating func put(_ step: UndoStep) {
    let hasPlace = step.lostPlace > .zero
    put(step.parts.count + (hasPlace ? 1 : 0) + (step.isOfConsumed ? 1 : 0))
    for part in step.parts { put(part) }
    if hasPlace {
      put(byte: 6)
      put(step.lostPlace)
    }
    if step.isOfConsumed { put(byte: 8) }
    put(step.lostCurrent?.rawValue ?? 0)
  }

  private mutating func put(_ part: UndoStep.Part) {
    switch part {
    case .insert(let entries, let positions, let places, let asked):
      let byAlbum = places?.byAlbum
      put(byte: byAlbum.map { $0 ? 9 : 10 } ?? (asked.isEmpty ? 0 : 3))
      put(entries)
      put(positions)
      put(places.map { [$0] } ?? []) { $0.put($1) }
      if byAlbum != nil || !asked.isEmpty { put(asked) }
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
    case .arrange(let arrangement, let asked):
      put(byte: 7)
      put(arrangement)
      put(asked)
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
      if skip(6) {
        step.lostPlace = try place()
      } else if skip(8) {
        step.isOfConsumed = true
      } else {
        step.parts.append(try part())
      }
    }
    let lost = try number()
    if lost != 0 { step.lostCurrent = EntryID(rawValue: lost) }
    return step
  }

  private mutating func part() throws(Malformed) -> UndoStep.Part {
    let kind = try byte()
    switch kind {
    case 0, 3, 9, 10:
      let (entries, positions) = (try entries(), try positions())
      var places = try array { reader throws(Malformed) in try reader.places() }.first
      places?.byAlbum = kind < 9 ? nil : kind == 9
      return .insert(
        entries, at: positions, places: places, asked: kind == 0 ? RangeSet() : try self.positions())
    case 1: return .remove(try positions())
    case 2, 4: return .move(try range(), to: try int(), asked: kind == 4 ? try positions() : RangeSet())
    case 5: return .shuffleList(try optionalChoice())
    case 7: return .arrange(try arrangement(), asked: try positions())
    default: throw Malformed()
    }
  }

  private mutating func places() throws(Malformed) -> UndoStep.OrderPlaces {
    let (pass, cursor) = (try number(), try int() - 1)
    let ranks = try array { reader throws(Malformed) in try reader.uint32() }
    return UndoStep.OrderPlaces(pass: pass, cursor: cursor, ranks: ranks)
  }
}
