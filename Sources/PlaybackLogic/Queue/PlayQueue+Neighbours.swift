// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Whether the entry before or after this one in the play order is of the same album. Meant for the current entry and the one
  /// that follows it; for other entries the answer is of no use.
  package func isBesideItsAlbum(_ id: EntryID) -> Bool {
    guard let album = entry(id)?.album, album != .unknown else { return false }
    let neighbours = id == current ? [previous, following] : [current, upcoming(2).last]
    return neighbours.contains { neighbour in
      neighbour.flatMap { $0 == id ? nil : entry($0)?.album } == album
    }
  }
}
