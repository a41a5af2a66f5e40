// SPDX-License-Identifier: MIT
import MediaModel

/// The order in which playlists are listed. The raw values are those of MPRIS.
package enum PlaylistOrdering: String, Sendable, CaseIterable {
  case alphabetical = "Alphabetical"
  case created = "Created"
  case modified = "Modified"
  case played = "Played"

  /// The playlists in this order, or in its reverse: names in natural order; dates from the oldest on, playlists without a date
  /// first. Equal ones are always in the same order, so that no page repeats what another page has shown.
  package func sorted(_ playlists: [SavedPlaylist], reversed: Bool = false) -> [SavedPlaylist] {
    let sorted = playlists.sorted(by: precedes)
    return reversed ? sorted.reversed() : sorted
  }

  private func precedes(_ one: SavedPlaylist, _ other: SavedPlaylist) -> Bool {
    if let date {
      let (first, second) = (one[keyPath: date] ?? .min, other[keyPath: date] ?? .min)
      if first != second { return first < second }
    }
    if one.name != other.name { return NaturalOrder.precedes(one.name, other.name) }
    return one.file.bytes.lexicographicallyPrecedes(other.file.bytes)
  }

  private var date: KeyPath<SavedPlaylist, Int64?>? {
    switch self {
    case .alphabetical: nil
    case .created: \.created
    case .modified: \.modified
    case .played: \.played
    }
  }
}
