// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Whether the entry before or after this one, where it stands in the play order now, is of the same album. Asked of the current
  /// entry and of the one that follows it.
  package func isBesideItsAlbum(_ id: EntryID) -> Bool {
    guard let album = entry(id)?.album, album != .unknown else { return false }
    let neighbours = id == current ? [previous, following] : [current, upcoming(2).last]
    return neighbours.contains { neighbour in
      neighbour.flatMap { $0 == id ? nil : entry($0)?.album } == album
    }
  }
}
