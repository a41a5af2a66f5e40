// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// MPRIS's TrackList interface: the queue as it shows it, and the calls that clients make.
package enum MPRISTrackList {
  private static let name: InterfaceName = "org.mpris.MediaPlayer2.TrackList"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions,
    signals: [
      trackListReplaced.description, trackAdded.description, trackRemoved.description,
      trackMetadataChanged.description,
    ], properties: properties.descriptions)

  // MARK: Methods

  /// A call of one of MPRIS's TrackList methods, once its arguments are read. For an object path that names no entry of ours, the entry is nil;
  /// `remove` and `goTo` are then ignored.
  package enum Call: Sendable, Hashable {
    /// Answer with the metadata of these tracks; those that are not in the queue are left out.
    case metadata([EntryID])
    /// Add this file after an entry, and play it if `plays` is set. Without an entry it is added at the top; if the entry is gone, at the end.
    case add(FilePath, after: EntryID?, plays: Bool)
    /// Remove this entry from the queue.
    case remove(EntryID?)
    /// Play this entry.
    case goTo(EntryID?)
  }

  /// The methods, in the specification's order.
  package enum Method: String, MethodTable {
    case getTracksMetadata = "GetTracksMetadata"
    case addTrack = "AddTrack"
    case removeTrack = "RemoveTrack"
    case goTo = "GoTo"

    package var row: MethodRow<Call> {
      switch self {
      // The answer has at most as many tracks as a list can show.
      case .getTracksMetadata:
        .init("TrackIds", out: ["Metadata": "aa{sv}"]) { (tracks: [ObjectPath]) in
          .metadata(Array(tracks.lazy.compactMap(TrackPath.entry).prefix(TrackListFace.longest)))
        }
      case .addTrack:
        .init("Uri", "AfterTrack", "SetAsCurrent") {
          (file: FilePath, after: ObjectPath, isCurrent: Bool) throws(BusError) in
          let other = TrackPath.entry(at: after)
          guard other != nil || after == TrackPath.none else {
            throw .invalidArguments("\(after) is no track; \(TrackPath.none) is the beginning of the list")
          }
          return .add(file, after: other, plays: isCurrent)
        }
      case .removeTrack: .init("TrackId") { .remove(TrackPath.entry(at: $0)) }
      case .goTo: .init("TrackId") { .goTo(TrackPath.entry(at: $0)) }
      }
    }
  }

  // MARK: Properties

  package static let properties = FaceProperties<TrackListFace>(
    of: name,
    [
      .init("Tracks", changes: .withoutValue) { $0.tracks.map(TrackPath.path) },
      .init("CanEditTracks") { _ in true },
    ])

  /// A track's metadata for a list. It leaves out the lyrics, which only the current track shows, and shortens what is too long for a list.
  package static func metadata(of entry: EntryID, _ item: MediaItem, artURL: String? = nil) -> Fields {
    var item = item
    item.tags = item.tags.shortened
    item.tags.lyrics = nil
    return MPRISPlayer.metadata(of: entry, item, artURL: artURL)
  }

  // MARK: Signals

  fileprivate static let trackListReplaced = SignalRow<[ObjectPath], ObjectPath>(
    "TrackListReplaced", "Tracks", "CurrentTrack")
  fileprivate static let trackAdded = SignalRow<Fields, ObjectPath>("TrackAdded", "Metadata", "AfterTrack")
  fileprivate static let trackRemoved = SignalRow<ObjectPath>("TrackRemoved", "TrackId")
  fileprivate static let trackMetadataChanged = SignalRow<ObjectPath, Fields>(
    "TrackMetadataChanged", "TrackId", "Metadata")
}

/// One change of the part of the queue that MPRIS shows. For each of these but `metadataChanged`, the property `Tracks` has to be reported as
/// invalidated too.
package enum TrackListNews: Sendable, Hashable {
  /// The tracks that are shown were replaced by these.
  case replaced([EntryID], current: EntryID?)
  /// A track was added after another one, or at the top if that is nil.
  case added(EntryID, after: EntryID?)
  /// A track was removed.
  case removed(EntryID)
  /// A track's metadata changed.
  case metadataChanged(EntryID)

  /// The signal that reports this change. `metadata` returns the dictionary of a track; it is called once at most.
  package func signal(metadata: (EntryID) -> Fields) -> (MemberName, [WireValue]) {
    switch self {
    case .replaced(let tracks, let current):
      MPRISTrackList.trackListReplaced(tracks.map(TrackPath.path), TrackPath.path(of: current))
    case .added(let track, let other):
      MPRISTrackList.trackAdded(metadata(track), TrackPath.path(of: other))
    case .removed(let track): MPRISTrackList.trackRemoved(TrackPath.path(of: track))
    case .metadataChanged(let track):
      MPRISTrackList.trackMetadataChanged(TrackPath.path(of: track), metadata(track))
    }
  }
}

/// Names entries of the queue as MPRIS does: by object paths. A path is made of the entry's identity and not of its
/// position. So it stays the same when rows move, and it stands for nothing when the row is gone.
package enum TrackPath {
  /// The MPRIS specification's name for "no track".
  package static let none: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  private static let prefix = "/org/fermata/Entry/"

  /// The path of an entry; `none` for nil.
  package static func path(of entry: EntryID?) -> ObjectPath {
    entry.map { ObjectPath(unchecked: prefix + String($0.rawValue)) } ?? none
  }

  /// The entry that a path stands for; nil for any other path, even if it looks like one of ours.
  package static func entry(at path: ObjectPath) -> EntryID? {
    guard path.text.utf8.starts(with: prefix.utf8) else { return nil }
    let number = UInt64(path.text.dropFirst(prefix.count))
    // A number can be written in many ways, such as with leading zeros. Only the way we write it makes a path of ours.
    guard let number, number > 0, Self.path(of: EntryID(rawValue: number)) == path else { return nil }
    return EntryID(rawValue: number)
  }
}

/// The queue as MPRIS's TrackList shows it: a window of rows around the current one. The MPRIS specification advises this for long queues.
///
/// The window keeps showing the same rows, even if rows above it come and go, until the current row comes near its edge. Then it is moved, so that
/// the current row is in its middle. The cost of an update depends on the window's size, not on the queue's length.
package struct TrackListFace: Sendable, Equatable {
  /// How many rows are shown at most.
  package static let longest = 200
  /// The fewest rows that are shown before and after the current row, unless the queue itself begins or ends nearer.
  static let margin = 25
  /// If more tracks than this come and go at once, the list is reported as a new one.
  static let mostSteps = 32

  /// The tracks that are shown, in the queue's order.
  package private(set) var tracks: [EntryID] = []
  private var shown: Set<EntryID> = []

  package init() {}

  /// Whether a track is shown. Changes of its metadata are reported only then.
  package func shows(_ entry: EntryID) -> Bool { shown.contains(entry) }

  /// Chooses anew which rows of the queue are shown, and returns what has to be reported, in order. To be called after a change that has edits or
  /// makes another entry current; after any other it returns nothing.
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

  /// The position in the queue of the first row to show, if the rows shown before are to stay where they are; 0 if all of them are gone.
  private func keptStart(in queue: PlayQueue) -> Int {
    for (offset, track) in tracks.enumerated() {
      if let position = queue.position(of: track) { return max(0, position - offset) }
    }
    return 0
  }

  /// The few changes that lead from the tracks that are shown to these: first the removals, then the additions. Nil if rows have moved, or if too
  /// many were added and removed.
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
