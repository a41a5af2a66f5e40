// SPDX-License-Identifier: MIT
@testable import PlaybackLogic

/// The queue as one would write it without a care for its length: arrays, searched from end to end. It shares
/// the generator with the real one, and nothing else.
struct NaiveQueue {
  struct Step {
    var target: [EntryID]
    var places: [EntryID: Int] = [:]
    var pass: Int?
    var cursor = -1
    var byAlbum = false
    var lost: EntryID?
    var place = Duration.zero
    var asked: Set<EntryID> = []
    var shuffle: ModeChoice<ShuffleMode>??
    /// The entries that exchanged their rows, if that is what the edit did.
    var arranged: [EntryID]?
  }

  var rows: [EntryID] = []
  var order: [EntryID]?
  var albums: [EntryID: AlbumKey] = [:]
  var anchors: [AlbumKey: EntryID] = [:]
  var current: EntryID?
  var isOver = false
  var nextFirst: EntryID?
  var asked: Set<EntryID> = []
  var history: [EntryID] = []
  var random: QueueRandom
  var repeatMode = RepeatMode.none
  var shuffleMode = ShuffleMode.off
  var chosenShuffle = ShuffleMode.off
  var listShuffle: ModeChoice<ShuffleMode>?
  /// Where in what the last undo marked again the listener was.
  var restored: Duration?
  var pass = 0
  var lastID: UInt64 = 0
  var undoSteps: [Step] = []
  var redoSteps: [Step] = []

  init(seed: UInt64) { random = QueueRandom(state: seed) }

  // MARK: Reading

  var play: [EntryID] { order ?? rows }
  func rank(_ id: EntryID) -> Int { play.firstIndex(of: id) ?? -1 }
  var cursor: Int { current.map { rank($0) } ?? -1 }
  var isByAlbum: Bool { order != nil && shuffleMode == .albums }

  var next: EntryID? {
    guard current != nil else { return nil }
    if cursor + 1 < play.count { return play[cursor + 1] }
    return repeatMode != .all ? nil : order == nil ? rows[0] : nextFirst
  }
  var following: EntryID? { repeatMode == .one ? current : next }
  var previous: EntryID? {
    guard current != nil else { return nil }
    if order != nil, let last = history.last { return last }
    if cursor > 0 { return play[cursor - 1] }
    return order == nil && repeatMode == .all && rows.count > 1 ? rows.last : nil
  }
  var opening: EntryID? {
    current != nil || rows.isEmpty ? nil : isOver && order != nil ? nextFirst : play[0]
  }
  var upcoming: [EntryID] { isOver ? [] : Array(play[(cursor + 1)...]) }

  /// The entries asked for that come right now.
  var run: [EntryID] {
    Array(play[(cursor + 1)...].prefix { asked.contains($0) })
  }

  /// What stands between two entries that were asked for, in a list that is the order, is asked for as well.
  mutating func join(_ block: [EntryID]) {
    guard order == nil, let first = block.first, let row = rows.firstIndex(of: first), row > 0,
      row + block.count < rows.count
    else { return }
    if asked.contains(rows[row - 1]), asked.contains(rows[row + block.count]) { asked.formUnion(block) }
  }

  // MARK: Edits

  mutating func add(_ sources: [AlbumKey], at position: Int?, beforeOthers: Bool = false) {
    guard !sources.isEmpty else { return }
    let new = sources.map { album in
      lastID += 1
      albums[EntryID(rawValue: lastID)] = album
      return EntryID(rawValue: lastID)
    }
    undoSteps.append(Step(target: rows))
    if let position {
      rows.insert(contentsOf: new, at: position)
      fallIn(new)
      join(new)
    } else {
      let run = beforeOthers ? [] : run
      let above = run.last ?? current
      let rank = cursor + 1 + run.count
      rows.insert(contentsOf: new, at: above.flatMap { rows.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
      for (index, id) in new.enumerated() where order != nil { insert(id, rank + index) }
      asked.formUnion(new)
    }
    noteEdit()
  }

  mutating func become(_ target: [EntryID]) {
    if target == rows { return }
    var step = Step(target: rows)
    let before = current
    let gone = rows.filter { !target.contains($0) }
    note(gone, in: &step)
    drop(gone)
    rows = rows.filter { target.contains($0) }
    if rows != target, Set(rows) == Set(target) { step.asked = move(to: target) }
    if current != before { step.lost = before }
    undoSteps.append(step)
    noteEdit()
  }

  /// Puts entries in this order into the rows that they hold together.
  mutating func arrange(_ ids: [EntryID]) {
    var target = rows
    for (row, id) in zip(rows.indices.filter({ ids.contains(rows[$0]) }), ids) { target[row] = id }
    if target == rows { return }
    var step = Step(target: rows)
    step.arranged = ids
    step.asked = exchange(ids, for: target)
    undoSteps.append(step)
    noteEdit()
  }

  private mutating func exchange(_ ids: [EntryID], for target: [EntryID]) -> Set<EntryID> {
    let lost = order == nil ? asked.intersection(ids) : []
    asked.subtract(lost)
    rows = target
    return lost
  }

  mutating func replace(_ sources: [AlbumKey], _ shuffle: ModeChoice<ShuffleMode>?) {
    if rows.isEmpty && sources.isEmpty { return }
    let lost = current
    let (old, log) = (rows, undoSteps)
    var step = Step(target: old)
    note(old, in: &step)
    become([])
    if listShuffle != shuffle {
      step.shuffle = .some(listShuffle)
      setListShuffle(shuffle)
    }
    if !sources.isEmpty { add(sources, at: 0) }
    step.lost = lost
    undoSteps = log + [step]
    noteEdit()
  }

  mutating func noteEdit() {
    undoSteps = undoSteps.suffix(100)
    redoSteps = []
    settle()
  }

  mutating func undo(isRedo: Bool) {
    guard let step = isRedo ? redoSteps.popLast() : undoSteps.popLast() else { return }
    var back = Step(target: rows)
    let (before, passBefore) = (current, pass)
    let gone = rows.filter { !step.target.contains($0) }
    note(gone, in: &back)
    drop(gone)
    let isNewPass = pass != passBefore
    if let shuffle = step.shuffle {
      back.shuffle = .some(listShuffle)
      setListShuffle(shuffle)
    }
    let new = step.target.filter { !rows.contains($0) }
    if let ids = step.arranged {
      back.arranged = ids
      back.asked = exchange(ids, for: step.target)
      if order == nil { asked.formUnion(step.asked) }
    } else if new.isEmpty && gone.isEmpty && rows != step.target {
      back.asked = move(to: step.target)
      if order == nil { asked.formUnion(step.asked) }
    } else {
      rows = step.target
    }
    let isNewlyPlaced = order != nil && (new.isEmpty ? isNewPass : !keepsPlaces(step))
    comeBack(new, step)
    if current != before { back.lost = before }
    if isRedo { undoSteps.append(back) } else { redoSteps.append(back) }
    restored = nil
    if current == nil || current != before, let lost = step.lost, rows.contains(lost) {
      if isNewlyPlaced { bringForward(lost) }
      arrive(lost)
      restored = step.place
    }
    settle()
  }

  mutating func noteLostPlace(_ place: Duration, inRedo: Bool) {
    if inRedo {
      if redoSteps.last?.lost != nil { redoSteps[redoSteps.count - 1].place = place }
    } else if undoSteps.last?.lost != nil {
      undoSteps[undoSteps.count - 1].place = place
    }
  }

  mutating func noteLeft(_ id: EntryID, at place: Duration) {
    if let last = undoSteps.indices.last { (undoSteps[last].lost, undoSteps[last].place) = (id, place) }
  }

  func note(_ gone: [EntryID], in step: inout Step) {
    step.asked = asked.intersection(gone)
    guard order != nil else { return }
    step.pass = pass
    step.cursor = cursor
    step.byAlbum = shuffleMode == .albums
    for id in gone { step.places[id] = rank(id) }
  }

  mutating func comeBack(_ new: [EntryID], _ step: Step) {
    guard !new.isEmpty else { return }
    if order == nil { return asked.formUnion(step.asked) }
    guard keepsPlaces(step) else { return fallIn(new) }
    let wasEmpty = order == []
    for (id, place) in step.places.sorted(by: { $0.value < $1.value }) {
      var rank = min(place, play.count)
      if !wasEmpty, current != nil {
        rank = returningRank(rank, wasPast: place <= step.cursor, isAsked: step.asked.contains(id))
      }
      insert(id, rank)
      if !wasEmpty, step.asked.contains(id) { asked.insert(id) }
    }
    if wasEmpty {
      anchorAll()
      asked.formUnion(step.asked)
    }
  }

  /// Never from the past to the future or back, and not into the run of those that were asked for next.
  func returningRank(_ rank: Int, wasPast: Bool, isAsked: Bool) -> Int {
    if wasPast { return min(rank, cursor) }
    let start = cursor + 1
    if isAsked { return max(rank, start) }
    let end = start + play[start...].prefix { asked.contains($0) }.count
    return rank < start || start < rank && rank < end ? end : rank
  }

  /// Whether what comes back stands where it stood: the order is the same one, or empty and of the same kind.
  func keepsPlaces(_ step: Step) -> Bool {
    guard let stepPass = step.pass else { return false }
    return order == [] ? step.byAlbum == (shuffleMode == .albums) : stepPass == pass
  }

  mutating func drop(_ gone: [EntryID]) {
    guard !gone.isEmpty else { return }
    var heir: EntryID?
    let loses = current.map { gone.contains($0) } ?? false
    if loses {
      heir = play[(cursor + 1)...].first { !gone.contains($0) }
      if heir == nil, order == nil, repeatMode == .all { heir = play.first { !gone.contains($0) } }
    }
    if gone.count == rows.count {
      (rows, anchors, current, asked, isOver, nextFirst) = ([], [:], nil, [], false, nil)
      if order != nil { order = [] }
      return
    }
    for id in gone.reversed() {
      asked.remove(id)
      unanchor(id)
      order?.removeAll { $0 == id }
      rows.removeAll { $0 == id }
      if nextFirst == id { nextFirst = nil }
    }
    if loses { inherit(heir) }
  }

  mutating func inherit(_ heir: EntryID?) {
    current = nil
    if let heir { return arrive(heir) }
    asked = []
    if order != nil, repeatMode == .all, let first = nextFirst ?? drawFirst() { return beginPass(first) }
    isOver = !rows.isEmpty
  }

  /// Answers which of what moved were asked for and are no longer.
  mutating func move(to target: [EntryID]) -> Set<EntryID> {
    // What moved is what was named by the caller; see `moved`.
    let lost = order == nil ? asked.intersection(moved) : []
    asked.subtract(lost)
    rows = target
    join(moved)
    return lost
  }

  /// The entries that the next change of places is about, for a move looks the same from both sides.
  var moved: [EntryID] = []

  // MARK: Playing

  mutating func start() {
    guard let opening else { return }
    if isOver, order != nil { beginPass(opening) } else { arrive(opening) }
    settle()
  }

  mutating func advance() {
    if current != nil, repeatMode != .one { goOn() }
    settle()
  }

  mutating func skip() {
    if next != nil { goOn() }
    settle()
  }

  mutating func goOn() {
    guard let left = current else { return }
    let (heir, isLast) = (next, cursor == play.count - 1)
    history.append(left)
    asked.remove(left)
    if isLast { asked = [] }
    if let heir {
      if isLast, order != nil { beginPass(heir) } else { arrive(heir) }
    } else {
      (current, isOver) = (nil, true)
    }
  }

  mutating func back() {
    guard let target = previous else { return }
    if history.last == target { history.removeLast() }
    if order != nil, rank(target) > cursor, !sameStretch(cursor, rank(target)) {
      let group = group(target)
      let first = play[stretch(cursor).lowerBound]
      order?.removeAll { group.contains($0) }
      let rank = rank(first)
      order?.insert(contentsOf: group, at: rank)
    }
    arrive(target)
    settle()
  }

  mutating func jump(_ id: EntryID) {
    guard rows.contains(id), id != current else { return }
    if let current { history.append(current) }
    if isOver, order != nil {
      beginPass(id)
    } else {
      if order != nil { bringForward(id) }
      arrive(id)
    }
    settle()
  }

  mutating func bringForward(_ id: EntryID) {
    let next = run
    if current != nil, sameStretch(cursor, rank(id)), !next.contains(id) { return }
    let group = group(id)
    // Right after the last entry that stays before it.
    let before = next.isEmpty ? current.map { play[stretch(rank($0)).upperBound - 1] } : current
    order?.removeAll { group.contains($0) }
    let target = before.map { rank($0) + 1 } ?? 0
    order?.insert(contentsOf: group, at: target)
    let still = next.filter { $0 != id }
    order?.removeAll { still.contains($0) }
    let after = rank(id) + 1
    order?.insert(contentsOf: still, at: after)
  }

  mutating func setModes(_ repeatMode: RepeatMode, _ shuffleMode: ShuffleMode) {
    self.repeatMode = repeatMode
    (chosenShuffle, listShuffle) = (shuffleMode, nil)
    defer { settle() }
    shuffle(shuffleMode)
  }

  mutating func setListShuffle(_ choice: ModeChoice<ShuffleMode>?) {
    listShuffle = choice
    shuffle((choice ?? .chosen(chosenShuffle)).resolved(.off))
  }

  mutating func shuffle(_ shuffleMode: ShuffleMode) {
    if self.shuffleMode == shuffleMode { return }
    self.shuffleMode = shuffleMode
    if shuffleMode != .off { return reshuffle(around: current) }
    order = nil
    pass += 1
    asked = Set(run)
  }
}
