// SPDX-License-Identifier: MIT
import MediaModel

/// Decides where a long item goes on when it is played again.
///
/// Nobody hears an audiobook in one evening. So podcasts, audiobooks and whatever is longer than 20 minutes begin where they were left;
/// songs begin at their beginning.
package enum ResumePlace {
  /// What becomes of an item's place when it is left.
  package enum Verdict: Sendable, Hashable {
    /// Begin here the next time.
    case keep(Duration)
    /// Begin at the beginning the next time.
    case forget
    /// What was kept before stays.
    case leave
  }

  /// Longer items keep their place, whatever they are.
  static let long = Duration.seconds(20 * 60)
  /// An item that was left so soon has not been begun: somebody looked what it is.
  static let least = Duration.seconds(15)
  /// An item that was left so shortly before its end was heard: what is left are credits.
  static let end = Duration.seconds(30)
  /// It begins a little earlier than it was left, so that the listener finds the thread again.
  static let stepBack = Duration.seconds(3)

  /// Whether an item keeps its place; nil if that is not known yet, because its tags are not.
  static func isKept(_ kind: MediaType?, length: Duration?) -> Bool? {
    if let length, length > long { return true }
    switch kind {
    case .podcast, .audiobook: return true
    case .music: return length == nil ? nil : false
    case nil: return nil
    }
  }

  /// What becomes of the place of an item that is left at `place`.
  static func verdict(leaving place: Duration, _ kind: MediaType?, length: Duration?) -> Verdict {
    guard let isKept = isKept(kind, length: length) else { return .leave }
    guard isKept else { return .forget }
    if let length, place >= length - min(end, length / 20) { return .forget }
    return place < least ? .leave : .keep(place)
  }

  /// Where an item begins whose place was kept.
  static func start(from kept: Duration) -> Duration { max(.zero, kept - stepBack) }
}

/// The places at which long items were left, and that of the one that plays. It finds out when a place is to be stored.
///
/// Places belong to locations, because a later entry of the same file goes on there as well. The parts of a file that a CUE sheet cuts have
/// none. What was kept by this value counts before what is loaded later, since that may have been read before.
package struct ResumePlaces: Sendable {
  /// What the player shows at one time.
  struct Moment {
    var entry: EntryID?
    var place = Duration.zero
    var length: Duration?
    var sounds = false
  }

  /// What is to be done about a place.
  enum Step: Equatable {
    /// Store that this location is to go on there; nil for its beginning.
    case keep(String, Duration?)
    /// Call `see` again after this time.
    case timer(after: Duration)
    case cancelTimer
  }

  /// The entry that plays or would play.
  private struct Current {
    let entry: EntryID
    /// Nil if its place is not kept, whatever its length.
    let location: String?
    var kind: MediaType?
    var length: Duration?
    /// When its place is stored next, if nothing happens before.
    var due: Duration?
  }

  /// How often the place is stored while it moves. It is stored at each pause and each end as well, and the agent's own state has the
  /// place of the current entry, so this is for a crash only.
  static let period = Duration.seconds(20)
  /// More places are not remembered. No shelf has so many books that are begun.
  private static let most = 10_000

  /// Whether entries begin at their beginning all the same, because somebody wants that now.
  var isIgnored = false

  private var loaded: [String: Duration] = [:]
  /// What was kept or forgotten since the start.
  private var changed: [String: Duration?] = [:]
  /// The entries that begin at their beginning once more, because whoever added them wants that.
  private var anew: Set<EntryID> = []
  private var current: Current?

  init() {}

  // MARK: Where entries begin

  /// Takes the places that are stored, by their locations.
  mutating func load(_ places: [String: Duration]) { loaded = places }

  /// Lets these entries begin at their beginning when their turn comes.
  mutating func beginAnew(_ entries: [Entry]) {
    for entry in entries where entry.span == nil && place(of: entry.location) != nil { anew.insert(entry.id) }
  }

  /// Where an entry begins when its turn comes. With `previous`, that is when this one was heard to its end.
  func start(of entry: Entry, after previous: Entry? = nil) -> Duration {
    guard !isIgnored, entry.span == nil, !anew.contains(entry.id) else { return .zero }
    let location = entry.location
    // Where a file follows itself, its place is no longer kept by then.
    guard location != previous?.location else { return .zero }
    return place(of: location).map(ResumePlace.start) ?? .zero
  }

  private func place(of location: String) -> Duration? {
    if let own = changed[location] { return own }
    return loaded[location]
  }

  // MARK: What plays

  /// The current entry, if its kind is not known yet.
  var entryWithoutKind: EntryID? { current?.location != nil && current?.kind == nil ? current?.entry : nil }

  /// Notes what kind of thing an entry is, if it is the current one.
  mutating func note(_ kind: MediaType, of entry: EntryID) {
    if current?.entry == entry { current?.kind = kind }
  }

  /// Takes what the player shows before and after an event. `entry` looks an entry up.
  mutating func see(
    from before: Moment, to after: Moment, at now: Duration, _ entry: (EntryID) -> Entry?
  ) -> [Step] {
    var steps: [Step] = []
    if let old = current, old.entry != after.entry {
      steps += leave(at: before.entry == old.entry ? before.place : after.place)
      if old.due != nil { steps.append(.cancelTimer) }
      anew.remove(old.entry)
      current = nil
    }
    if current == nil, let id = after.entry {
      let row = entry(id)
      let location = row.flatMap { $0.span == nil ? $0.location : nil }
      current = Current(entry: id, location: location)
    }
    if let length = after.length { current?.length = length }
    if before.entry == after.entry, before.sounds, !after.sounds {
      // An order to stop sets the place back, so the one before it counts.
      steps += leave(at: max(before.place, after.place))
    }
    return steps + keepTime(after, now)
  }

  /// Stores the place now and then while it moves.
  private mutating func keepTime(_ moment: Moment, _ now: Duration) -> [Step] {
    guard let present = current else { return [] }
    let isKept = present.location != nil && ResumePlace.isKept(present.kind, length: present.length) == true
    guard moment.sounds, isKept else {
      guard present.due != nil else { return [] }
      current?.due = nil
      return [.cancelTimer]
    }
    guard let due = present.due else {
      current?.due = now + Self.period
      return [.timer(after: Self.period)]
    }
    guard now >= due else { return [] }
    current?.due = now + Self.period
    return leave(at: moment.place) + [.timer(after: Self.period)]
  }

  /// What becomes of the place of the current entry, which is left for now.
  private mutating func leave(at place: Duration) -> [Step] {
    guard let current, let location = current.location else { return [] }
    switch ResumePlace.verdict(leaving: place, current.kind, length: current.length) {
    case .leave: return []
    case .forget: return keep(nil, location)
    case .keep(let place): return keep(place, location)
    }
  }

  private mutating func keep(_ place: Duration?, _ location: String) -> [Step] {
    guard self.place(of: location) != place else { return [] }
    if changed.count >= Self.most, changed[location] == nil { changed = [:] }
    changed[location] = .some(place)
    return [.keep(location, place)]
  }
}

extension ResumePlaces.Moment {
  /// What a player shows at `now`.
  init(_ player: Player, at now: Duration) {
    entry = player.queue.current
    place = player.place(at: now)
    length = player.length
    sounds = player.engine.loaded != nil && !player.engine.isCorked
  }
}
