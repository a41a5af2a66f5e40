// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// One change of the shown part of the queue. For each of these but
/// `metadataChanged`, the property `Tracks` has to be reported as invalidated too.
package enum TrackListNews: Sendable, Hashable {
  /// The list was replaced by this one.
  case replaced([EntryID], current: EntryID?)
  /// A track was added behind another one, or at the top if that is nil.
  case added(EntryID, after: EntryID?)
  /// A track was removed.
  case removed(EntryID)
  /// A track's metadata changed.
  case metadataChanged(EntryID)

  /// The signal that reports it. `metadata` returns the dictionary of a track; it is called once at most.
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
