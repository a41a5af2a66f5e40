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

/// The queue as MPRIS's TrackList shows it: a window of rows around the current one.
/// The MPRIS specification advises this for long queues.
///
/// The window keeps showing the same rows, even if rows above it come and go, until the current row comes near its edge. Then it
/// is placed anew, around the current row. An update costs at most what the window costs, however long the queue is.
package struct TrackListFace: Sendable, Equatable {
  /// How many rows are shown at most.
  package static let longest = 200
  /// The fewest rows between the current row and an edge of the window, unless the queue itself ends at that edge.
  static let margin = 25
  /// If more tracks than this come and go at once, the list is reported as a new one.
  static let mostSteps = 32

  /// The tracks in the window, in the queue's order.
  package private(set) var tracks: [EntryID] = []
  private var shown: Set<EntryID> = []

  /// An empty list.
  package init() {}

  /// Whether a track is shown. Changes of its metadata are reported only then.
  package func shows(_ entry: EntryID) -> Bool { shown.contains(entry) }

  /// Updates the window from the queue and returns what has to be reported, in order. To be called after a change that
  /// has edits or makes another entry current; after any other it returns nothing.
  package mutating func update(to queue: PlayQueue) -> [TrackListNews] {
    let rows = window(of: queue)
    let new = queue.entries(at: rows).map(\.id)
    if new == tracks { return [] }
    let steps = steps(to: new)
    tracks = new
    shown = Set(new)
    return steps ?? [.replaced(new, current: queue.current.flatMap { shown.contains($0) ? $0 : nil })]
  }

  private func window(of queue: PlayQueue) -> Range<Int> {
    let length = min(Self.longest, queue.count)
    let last = queue.count - length
    let kept = min(keptStart(in: queue), last)
    guard let current = queue.currentPosition else { return kept..<kept + length }
    let isClear =
      (kept == 0 || current >= kept + Self.margin)
      && (kept == last || current < kept + length - Self.margin)
    let start = isClear ? kept : max(0, min(current - length / 2, last))
    return start..<start + length
  }

  /// Where the window begins if the tracks that it shows keep their place in it.
  private func keptStart(in queue: PlayQueue) -> Int {
    for (offset, track) in tracks.enumerated() {
      if let position = queue.position(of: track) { return max(0, position - offset) }
    }
    return 0
  }

  /// The few steps from the present list to another: first the removals, then the additions. Nil if rows have moved, or
  /// if too many were added and removed.
  private func steps(to new: [EntryID]) -> [TrackListNews]? {
    let coming = Set(new)
    let gone = tracks.filter { !coming.contains($0) }
    let kept = new.filter(shown.contains)
    let steps = gone.count + new.count - kept.count
    guard steps <= Self.mostSteps, kept == tracks.filter(coming.contains) else { return nil }
    var news = gone.map(TrackListNews.removed)
    for (position, track) in new.enumerated() where !shown.contains(track) {
      news.append(.added(track, after: position == 0 ? nil : new[position - 1]))
    }
    return news
  }
}

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
