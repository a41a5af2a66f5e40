// SPDX-License-Identifier: MIT
@testable import PlaybackLogic

/// What becomes of the naive queue's order.
extension NaiveQueue {
  mutating func settle() {
    while let last = history.last, !rows.contains(last) || last == current { history.removeLast() }
    let isNeeded =
      order != nil && (isOver || (current != nil && repeatMode == .all && cursor == play.count - 1))
    if !isNeeded {
      nextFirst = nil
    } else if isOver, let first = run.first {
      nextFirst = first
    } else if nextFirst == nil {
      nextFirst = drawFirst()
    }
  }

  mutating func drawFirst() -> EntryID? {
    if rows.count < 2 { return rows.first }
    let before = current ?? history.last { rows.contains($0) }
    let candidates = play.filter { $0 != before }
    let drawn = candidates[random.below(candidates.count)]
    let album = isByAlbum ? albums[drawn] : nil
    let head = album == nil || album == .unknown ? drawn : rows.first { albums[$0] == album } ?? drawn
    return head == before ? drawn : head
  }

  mutating func beginPass(_ id: EntryID) {
    reshuffle(around: id)
    arrive(id)
  }

  mutating func reshuffle(around id: EntryID?) {
    let next = run.filter { $0 != id }
    let here = id.map { [$0] } ?? []
    var rest = rows.filter { !(next + here).contains($0) }
    if shuffleMode == .songs {
      random.shuffle(&rest)
      order = here + next + rest
    } else {
      let key = id.flatMap { albums[$0] } ?? .unknown
      let own = rest.filter { key != .unknown && albums[$0] == key }
      rest.removeAll { own.contains($0) }
      var groups: [[EntryID]] = []
      for id in rest {
        let mate = groups.firstIndex { albums[$0[0]] == albums[id] && albums[id] != .unknown }
        if let mate { groups[mate].append(id) } else { groups.append([id]) }
      }
      random.shuffle(&groups)
      let place = id.flatMap { rows.firstIndex(of: $0) } ?? 0
      let above = own.filter { (rows.firstIndex(of: $0) ?? 0) < place }
      order = above + here + next + own.filter { !above.contains($0) } + groups.flatMap { $0 }
    }
    pass += 1
    anchorAll()
    asked = Set(next)
    isOver = false
  }

  mutating func arrive(_ id: EntryID) {
    (current, isOver) = (id, false)
  }

  var restStart: Int { max(cursor, asked.map { rank($0) }.max() ?? -1) + 1 }

  mutating func fallIn(_ new: [EntryID]) {
    guard order != nil else { return }
    if order == [] { return reshuffle(around: nil) }
    for id in new {
      let start = restStart
      let album = albums[id] ?? .unknown
      if isByAlbum, album != .unknown, let anchor = anchors[album], rank(anchor) >= max(cursor, 0) {
        insert(id, joining(id, album, start...max(start, rank(anchor) + 1)))
        continue
      }
      var rank = start + random.below(play.count - start + 1)
      let before = rank == start ? current : play[rank - 1]
      if isByAlbum, let before, let album = albums[before], album != .unknown, let anchor = anchors[album] {
        rank = max(rank, self.rank(anchor) + 1)
      }
      insert(id, rank)
    }
  }

  func joining(_ id: EntryID, _ album: AlbumKey, _ ranks: ClosedRange<Int>) -> Int {
    let position = rows.firstIndex(of: id) ?? 0
    var (low, high) = (ranks.lowerBound, ranks.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let other = play[middle]
      if albums[other] == album, (rows.firstIndex(of: other) ?? 0) > position {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  mutating func insert(_ id: EntryID, _ rank: Int) {
    order?.insert(id, at: rank)
    guard isByAlbum, let album = albums[id], album != .unknown else { return }
    if let anchor = anchors[album], self.rank(anchor) > rank { return }
    anchors[album] = id
  }

  mutating func unanchor(_ id: EntryID) {
    guard isByAlbum, let album = albums[id], album != .unknown, anchors[album] == id else { return }
    let neighbours = [rank(id) - 1, rank(id) + 1].filter { play.indices.contains($0) }
    anchors[album] = neighbours.map { play[$0] }.first { albums[$0] == album }
  }

  /// Lets each album go on after its last entry, as at the beginning of a pass and after a restart.
  mutating func anchorAll() {
    anchors = [:]
    for id in play { if isByAlbum, let album = albums[id], album != .unknown { anchors[album] = id } }
  }

  // MARK: Stretches of one album

  func sameStretch(_ left: Int, _ right: Int) -> Bool { stretch(left).contains(right) }

  func stretch(_ rank: Int) -> Range<Int> {
    guard isByAlbum, let album = albums[play[rank]], album != .unknown else { return rank..<rank + 1 }
    var (start, end) = (rank, rank + 1)
    while start > 0, albums[play[start - 1]] == album { start -= 1 }
    while end < play.count, albums[play[end]] == album { end += 1 }
    return start..<end
  }

  func group(_ id: EntryID) -> [EntryID] {
    if asked.contains(id) { return [id] }
    let (stretch, rank) = (stretch(rank(id)), rank(id))
    let above = play[stretch.lowerBound..<rank].reversed().prefix { !asked.contains($0) }
    return above.reversed() + play[rank..<stretch.upperBound].prefix { !asked.contains($0) }
  }
}
