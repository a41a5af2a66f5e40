// SPDX-License-Identifier: MIT
package import PlaybackLogic

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
