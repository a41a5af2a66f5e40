// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// How the shown part of the queue came to differ. With each of these but the last, `Tracks` is to be told as
/// invalidated.
package enum TrackListNews: Sendable, Hashable {
  /// It is another list.
  case replaced([EntryID], current: EntryID?)
  /// A track has come, behind that one; at the top without one.
  case added(EntryID, after: EntryID?)
  /// A track has gone.
  case removed(EntryID)
  /// More is known of a track, or something else.
  case metadataChanged(EntryID)

  /// The signal that says so. `metadata` is asked for the dictionary of a track, at most once.
  package func signal(metadata: (EntryID) -> WireValue) -> (MemberName, [WireValue]) {
    switch self {
    case .replaced(let tracks, let current):
      ("TrackListReplaced", [MPRISTrackList.paths(tracks), Self.path(current)])
    case .added(let track, let other): ("TrackAdded", [metadata(track), Self.path(other)])
    case .removed(let track): ("TrackRemoved", [Self.path(track)])
    case .metadataChanged(let track): ("TrackMetadataChanged", [Self.path(track), metadata(track)])
    }
  }

  private static func path(_ entry: EntryID?) -> WireValue { .objectPath(TrackPath.path(of: entry)) }
}
