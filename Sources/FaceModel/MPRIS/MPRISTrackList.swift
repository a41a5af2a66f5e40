// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// MPRIS's TrackList interface: what it shows of the queue, and what clients may ask for.
package enum MPRISTrackList {
  /// Every property, in the interface's order.
  package static func properties(of face: TrackListFace) -> [(MemberName, WireValue)] {
    [("Tracks", paths(face.tracks)), ("CanEditTracks", .boolean(true))]
  }

  /// The object paths of tracks, as a value.
  package static func paths(_ tracks: [EntryID]) -> WireValue {
    .array(.objectPath, tracks.map { .objectPath(TrackPath.path(of: $0)) })
  }

  /// A track's metadata for a list. It leaves out the lyrics, which only the current track shows.
  package static func metadata(of entry: EntryID, _ item: MediaItem, artURL: String? = nil) -> WireValue {
    var item = item
    item.tags.lyrics = nil
    return MPRISPlayer.metadata(of: entry, item, artURL: artURL)
  }

  /// The tracks that `GetTracksMetadata` asks for, at most as many as a list can show. Paths that are not ours are
  /// ignored. The answer to the call is an `aa{sv}` of those tracks that are in the queue.
  package static func tracks(asked arguments: [WireValue]) throws(BusError) -> [EntryID] {
    let paths = try arguments.decoded(as: [ObjectPath].self)
    return Array(paths.lazy.compactMap(TrackPath.entry).prefix(TrackListFace.longest))
  }

  /// What a method asks for; nil if the MPRIS specification says to ignore the call.
  package static func order(
    call method: MemberName, _ arguments: [WireValue]
  ) throws(BusError) -> FaceOrder? {
    switch method {
    case "AddTrack": return try add(arguments)
    case "RemoveTrack": return try entry(arguments).map { .queue(.remove([$0])) }
    case "GoTo": return try entry(arguments).map { .player(.jump(to: $0)) }
    default: throw .unknownMethod(method, of: MPRISDescriptions.trackList.name.text)
    }
  }

  private static func entry(_ arguments: [WireValue]) throws(BusError) -> EntryID? {
    TrackPath.entry(at: try arguments.decoded(as: ObjectPath.self))
  }

  private static func add(_ arguments: [WireValue]) throws(BusError) -> FaceOrder {
    let (uri, after, isCurrent) = try arguments.decoded(as: String.self, ObjectPath.self, Bool.self)
    let other = TrackPath.entry(at: after)
    guard other != nil || after == TrackPath.none else {
      throw .invalidArguments("\(after) is no track; \(TrackPath.none) is the beginning of the list")
    }
    return .add(try Asked.file(uri), after: other, plays: isCurrent)
  }
}
