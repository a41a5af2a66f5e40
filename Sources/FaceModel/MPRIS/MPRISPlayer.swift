// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// The player as MPRIS shows it.
package enum MPRISPlayer {
  /// The only speed there is.
  package static let rate = 1.0

  /// Every property in the interface's order, the position apart: it is asked for, never told.
  package static func properties(of face: PlayerFace) -> [(MemberName, WireValue)] {
    table.values(of: face)
  }

  /// What `PropertiesChanged` has to say: the properties whose value is another now, in the interface's
  /// order, whole. Costs next to nothing where what MPRIS shows is the same.
  package static func changes(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, WireValue)] {
    table.changes(from: old, to: new)
  }

  /// One property; nothing for the position and for what is no property of the interface.
  package static func property(_ name: MemberName, of face: PlayerFace) -> WireValue? {
    table.value(of: name, face)
  }

  /// The position as it is asked for.
  package static func position(_ position: Duration) -> WireValue { .int64(microseconds(position)) }

  /// The position as a number.
  package static func microseconds(_ position: Duration) -> Int64 { max(0, WireTime.microseconds(position)) }

  /// The arguments of `Seeked`: to be sent whenever the position is another than what follows from the clock,
  /// within a track.
  package static func seeked(to position: Duration) -> [WireValue] { [Self.position(position)] }

  /// The current track. "No track" has a name of its own.
  package static func metadata(of face: PlayerFace) -> WireValue {
    guard let entry = face.entry else { return metadata(of: nil, nil) }
    return metadata(of: entry, face.item, artURL: face.artURL, length: face.knownLength)
  }

  /// Any track; a length of its own goes before that of the tags.
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
    // Also before anything was played: without it, PlayPause may not start.
    .flag("CanPause") { $0.canPlay },
    .flag("CanSeek") { $0.canSeek && $0.entry != nil },
    .constant("CanControl", .boolean(true)),
  ]
}

extension RepeatMode {
  /// As MPRIS has it.
  var loopStatus: String {
    switch self {
    case .none: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }

  /// The mode behind a text of MPRIS; case counts.
  init?(loopStatus: String) {
    guard let mode = Self.allCases.first(where: { $0.loopStatus == loopStatus }) else { return nil }
    self = mode
  }
}
