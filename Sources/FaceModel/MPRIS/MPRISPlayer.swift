// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// The player as MPRIS shows it.
package enum MPRISPlayer {
  /// The playback rate. There is only this one.
  package static let rate = 1.0

  /// Every property in the interface's order, except the position: clients have to ask for it, and its changes are not reported.
  package static func properties(of face: PlayerFace) -> [(MemberName, WireValue)] {
    table.values(of: face)
  }

  /// The properties that `PropertiesChanged` has to report, in the interface's order, with their new values in full.
  /// Costs next to nothing if nothing that MPRIS shows has changed.
  package static func changes(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, WireValue)] {
    table.changes(from: old, to: new)
  }

  /// One property; nil for the position, and for a name that the interface does not have.
  package static func property(_ name: MemberName, of face: PlayerFace) -> WireValue? {
    table.value(of: name, face)
  }

  /// The value of the property `Position`.
  package static func position(_ position: Duration) -> WireValue { .int64(microseconds(position)) }

  /// The position in microseconds, never negative.
  package static func microseconds(_ position: Duration) -> Int64 { max(0, WireTime.microseconds(position)) }

  /// The arguments of `Seeked`. That signal has to be sent whenever the position jumps within a track: when it is not
  /// the one that follows from the time that has passed.
  package static func seeked(to position: Duration) -> [WireValue] { [Self.position(position)] }

  /// The metadata of the current track. If there is none, it holds MPRIS's own name for "no track".
  package static func metadata(of face: PlayerFace) -> WireValue {
    guard let entry = face.entry else { return metadata(of: nil, nil) }
    return metadata(of: entry, face.item, artURL: face.artURL, length: face.knownLength)
  }

  /// The metadata of any track. If `length` is given, it is used instead of the length in the tags.
  package static func metadata(
    of entry: EntryID?, _ item: MediaItem?, artURL: String? = nil, length: Duration? = nil
  ) -> WireValue {
    TrackMetadata(entry, item, artURL: artURL, length: length ?? item?.tags.duration).value
  }

  private static let table: [FaceProperty] = [
    FaceProperty(name: "PlaybackStatus") { .string($0.state.mpris.rawValue) },
    FaceProperty(name: "LoopStatus") { .string($0.repeatMode.loopStatus) },
    .constant("Rate", .double(rate)),
    .flag("Shuffle") { $0.shuffleMode != .off },
    FaceProperty(name: "Metadata", mayDiffer: FaceProperty.hasOtherTrack, value: metadata),
    FaceProperty(name: "Volume") { .double(max(0, $0.volume)) },
    .constant("MinimumRate", .double(rate)),
    .constant("MaximumRate", .double(rate)),
    .flag("CanGoNext") { $0.canGoNext },
    .flag("CanGoPrevious") { $0.canGoPrevious },
    .flag("CanPlay") { $0.canPlay },
    // True even before anything was played: where CanPause is false, clients may not use PlayPause.
    .flag("CanPause") { $0.canPlay },
    .flag("CanSeek") { $0.canSeek && $0.entry != nil },
    .constant("CanControl", .boolean(true)),
  ]
}

extension RepeatMode {
  /// The mode as MPRIS's `LoopStatus`.
  var loopStatus: String {
    switch self {
    case .none: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }

  /// Reads a mode from a `LoopStatus`. Upper and lower case matter.
  init?(loopStatus: String) {
    guard let mode = Self.allCases.first(where: { $0.loopStatus == loopStatus }) else { return nil }
    self = mode
  }
}
