// SPDX-License-Identifier: MIT
import BusModel
package import PlaybackLogic

/// The queue as MPRIS's TrackList shows it: the rows around the current one, as the text advises for long
/// queues.
///
/// The window stays where it is, whatever comes and goes above it, until the current row comes near its edge;
/// then it is moved as a whole. Keeping it costs at most what the window costs, however long the queue is.
package struct TrackListFace: Sendable, Equatable {
  /// How many rows are shown at most.
  package static let longest = 200
  /// How near to an edge with rows beyond it the current row may come.
  static let margin = 25
  /// More differences than this are told as a new list.
  static let mostSteps = 32

  /// What is shown, in the list's order.
  package private(set) var tracks: [EntryID] = []
  private var shown: Set<EntryID> = []

  /// An empty list.
  package init() {}

  /// Whether a track is shown: only then changes of its metadata are told.
  package func shows(_ entry: EntryID) -> Bool { shown.contains(entry) }

  /// Catches up with the queue and says what is to be told of it, in order. To be called after a change that
  /// has edits or another current entry; for any other it finds nothing.
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

  /// Where the window begins if what it shows stays in its place.
  private func keptStart(in queue: PlayQueue) -> Int {
    for (offset, track) in tracks.enumerated() {
      if let position = queue.position(of: track) { return max(0, position - offset) }
    }
    return 0
  }

  /// How the list becomes another in few steps: first what goes, then what comes. Nothing if rows have moved,
  /// or too many came and went.
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
