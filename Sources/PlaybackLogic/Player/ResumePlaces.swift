// SPDX-License-Identifier: MIT
import MediaModel

/// Decides where a long track resumes when it is played again.
///
/// Nobody hears an audiobook in one evening. So podcasts, audiobooks and all tracks longer than 20 minutes begin where they were left; shorter songs
/// begin at their beginning.
package enum ResumePlace {
  /// What to do with the stored place of a track that the listener leaves.
  package enum Verdict: Sendable, Hashable {
    /// Store this place, so that the track begins here the next time.
    case keep(Duration)
    /// Delete the stored place, so that the track begins at its beginning.
    case forget
    /// Leave the stored place as it is.
    case leave
  }

  /// Tracks longer than this begin where they were left, of whatever kind they are.
  static let long = Duration.seconds(20 * 60)
  /// A track that is left before this place was only tried out, so its stored place does not change.
  static let least = Duration.seconds(15)
  /// A track that is left this shortly before its end counts as heard: only credits are left.
  static let end = Duration.seconds(30)
  /// A track resumes this much before the place where it was left, so that the listener finds the thread again.
  static let stepBack = Duration.seconds(3)

  /// Whether a track of this kind and length begins, the next time, where it was left; nil if that is not known yet, because its tags are not.
  static func isKept(_ kind: MediaType?, length: Duration?) -> Bool? {
    if let length, length > long { return true }
    switch kind {
    case .podcast, .audiobook: return true
    case .music: return length == nil ? nil : false
    case nil: return nil
    }
  }

  /// What to do with the stored place of a track that is left at `place`.
  static func verdict(leaving place: Duration, _ kind: MediaType?, length: Duration?) -> Verdict {
    guard let isKept = isKept(kind, length: length) else { return .leave }
    guard isKept else { return .forget }
    // A place past the end shows that the length was only estimated.
    if let length, place >= length - min(end, length / 20), place <= length + end { return .forget }
    return place < least ? .leave : .keep(place)
  }

  /// The place where a track begins that was left at the place `kept`.
  static func start(from kept: Duration) -> Duration { max(.zero, kept - stepBack) }
}

/// The places where long tracks were left. This value also decides when the place in the current track is to be stored.
///
/// Places belong to locations, so any later entry of the same file resumes there. An entry that is a chapter of a book begins at the book's place if
/// that lies in it. The tracks that a CUE sheet makes of a file with music have no place.
package struct ResumePlaces: Sendable {
  /// The player's state at one time, as far as it tells where a track was left.
  struct Moment {
    var entry: EntryID?
    var place = Duration.zero
    var length: Duration?
    var sounds = false
    /// Whether the listener has stopped, after which a track begins where it was left and not where it stands.
    var isStopped = false
  }

  /// What the owner of the places is to do: store a place, or go to one.
  enum Step: Equatable {
    /// Store that the file at this location is to resume at this place; nil for its beginning.
    case keep(String, Duration?)
    /// Call `see` again after this time.
    case timer(after: Duration)
    case cancelTimer

    var keepsPlace: Bool { if case .keep = self { true } else { false } }
  }

  /// The entry that plays or would play.
  fileprivate struct Current {
    let entry: EntryID
    /// The location of the entry's file; nil if the entry is no longer in the queue.
    var location: String?
    /// The part of the file that the entry is; nil for the whole file.
    let span: CueSpan?
    var kind: MediaType?
    var length: Duration?
    /// The time at which the place is stored next, unless the track is left before.
    var due: Duration?
    /// Whether the entry counts as heard to its end, because the next one has begun. In a crossfade it begins some seconds before that end, so the
    /// place alone does not tell.
    var isHeard = false
    /// Whether it began elsewhere than where it was left, without anybody's wish, and has not come to that place yet: the stored places were not known
    /// then, or its file could not be read there.
    var beganElsewhere: Bool
  }

  /// How often the place is stored while music plays. This is needed only after a crash: otherwise the place is stored at each pause and each end.
  static let period = Duration.seconds(20)
  /// How many decided places are held apart from the loaded ones. With more they are added to those, because the library has stored them by then.
  private static let most = 10_000

  /// Whether all entries start at their beginning now, although places are stored, because somebody has asked for that.
  var isIgnored = false

  private var loaded: [String: Duration] = [:]
  /// The locations of podcasts and audiobooks, as far as they had a place or were played since the start.
  private var books: Set<String> = []
  /// Whether `loaded` is what the library has stored. Until then no stored place is changed.
  private var areKnown = true
  /// The places that were decided on since the start and that the library did not have when it was last read, by the locations of the files; a nil
  /// value means that the place was deleted.
  private var changed: [String: Duration?] = [:]
  /// The entries that begin once at their beginning and not where they were left, because they were added with that wish.
  private var anew: Set<EntryID> = []
  private var current: Current?

  init() {}

  // MARK: Where entries begin

  /// Replaces the places that came from the library, by their locations. Nil if the library has some that are not read yet.
  ///
  /// What was decided here and is not stored yet must be among them. So where they differ from what was decided, they are newer: somebody has
  /// imported them.
  mutating func load(_ places: [String: Duration]?, ofBooks books: Set<String>) {
    areKnown = places != nil
    self.books.formUnion(books)
    guard let places else { return }
    loaded = places
    changed = changed.filter { places[$0.key] == nil }
  }

  /// Takes over where files are that were renamed, with the places in them.
  mutating func relocate(_ renamings: [FileRenaming]) {
    let locations = Dictionary(renamings.lazy.map { ($0.from, $0.to) }) { first, _ in first }
    func now(_ location: String) -> String { locations[location] ?? location }
    if let location = current?.location { current?.location = now(location) }
    loaded = Dictionary(loaded.lazy.map { (now($0.key), $0.value) }) { first, _ in first }
    changed = Dictionary(changed.lazy.map { (now($0.key), $0.value) }) { first, _ in first }
    books = Set(books.lazy.map(now))
  }

  /// Makes these entries start at their beginning when their turn comes.
  mutating func beginAnew(_ entries: [Entry]) {
    for entry in entries where place(of: entry.location) != nil { anew.insert(entry.id) }
  }

  /// The place where an entry begins when its turn comes. With `previous`, its turn comes when that entry was heard to its end.
  func start(of entry: Entry, after previous: Entry? = nil) -> Duration {
    // If a file follows itself, its place is deleted at its end, just before it begins again. If a chapter follows another, the place becomes its
    // beginning.
    guard let place = place(of: entry), entry.location != previous?.location else { return .zero }
    guard let span = entry.span else { return ResumePlace.start(from: place) }
    return span.contains(place) ? ResumePlace.start(from: place - CueSpan.time(span.start)) : .zero
  }

  /// Whether this entry is the part of its file in which the file was left.
  func wasLeft(in entry: Entry) -> Bool {
    guard let span = entry.span, let place = place(of: entry) else { return false }
    return span.contains(place)
  }

  /// Whether this entry is a part of a file that was left in a later part.
  func wasLeftLater(than entry: Entry) -> Bool {
    guard let end = entry.span?.end, let place = place(of: entry) else { return false }
    return place >= CueSpan.time(end)
  }

  /// The stored place at which an entry's file goes on. Nil if there is none, if the listener wants this entry from its beginning, or if the entry
  /// is a track of a CUE sheet: only those of a book go on where they were left.
  private func place(of entry: Entry) -> Duration? {
    guard !isIgnored, !anew.contains(entry.id) else { return nil }
    let location = entry.location
    return entry.span == nil || books.contains(location) ? place(of: location) : nil
  }

  private func place(of location: String) -> Duration? {
    if let own = changed[location] { return own }
    return loaded[location]
  }

  // MARK: What plays

  /// The location of the entry that was current after the last event.
  var location: String? { current?.location }

  /// Whether the current entry is a whole file that begins, the next time, where it was left. A chapter is not: it has a beginning of its own.
  var isCurrentKept: Bool { current.map { $0.span == nil && $0.isKept == true } ?? false }

  /// The current entry, if it is not known yet whether it is a song, a podcast or an audiobook; otherwise nil.
  var entryWithoutKind: EntryID? { current?.location != nil && current?.kind == nil ? current?.entry : nil }

  /// Notes whether an entry is a song, a podcast or an audiobook, if it is the current one.
  mutating func note(_ kind: MediaType, of entry: EntryID) {
    guard current?.entry == entry else { return }
    current?.kind = kind
    guard let location = current?.location else { return }
    if kind == .music { books.remove(location) } else { books.insert(location) }
  }

  /// Call when the current entry begins before its place against the listener's will. Until it comes there, no earlier place replaces it.
  mutating func keepLaterPlace() { current?.beganElsewhere = true }

  /// Notes that an entry was heard to its end, if it is the current one: what follows it is heard by now.
  mutating func noteHeard(_ entry: EntryID) {
    if current?.entry == entry { current?.isHeard = true }
  }

  /// Compares the player's state before and after an event, and returns what has to be stored. `entry` looks an entry up in the queue.
  mutating func see(
    from before: Moment, to after: Moment, at now: Duration, _ entry: (EntryID) -> Entry?
  ) -> [Step] {
    var steps: [Step] = []
    let former = current
    if let old = current, old.entry != after.entry {
      steps += leave(at: before.entry == old.entry ? before.place : after.place)
      if old.due != nil { steps.append(.cancelTimer) }
      anew.remove(old.entry)
      current = nil
    }
    if current == nil, let id = after.entry {
      let row = entry(id)
      let location = row?.location
      // All chapters are of the kind of their book.
      let kind = location == former?.location ? former?.kind : nil
      current = Current(
        entry: id, location: location, span: row?.span, kind: kind,
        beganElsewhere: !areKnown && (before.entry != id || after.place == .zero))
    }
    if areKnown, let current, let location = current.location,
      current.start + after.place >= place(of: location).map(ResumePlace.start) ?? .zero
    {
      // From there on, wherever the listener goes is their wish.
      self.current?.beganElsewhere = false
    }
    if current?.isHeard == true {
      // The entry follows itself.
      steps += leave(at: .zero)
      current?.isHeard = false
    }
    if let length = after.length { current?.length = length }
    if before.entry == after.entry, before.sounds && !after.sounds || !before.isStopped && after.isStopped {
      // A stop sets the place to zero, so the place before the stop counts.
      steps += leave(at: max(before.place, after.place))
    }
    return steps + keepTime(after, now)
  }

  /// Stores the place every `period` while music plays.
  private mutating func keepTime(_ moment: Moment, _ now: Duration) -> [Step] {
    guard let present = current else { return [] }
    guard moment.sounds, present.location != nil, present.isKept == true else {
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

  /// Stores or deletes the place of the current entry, which the listener leaves at `place`.
  private mutating func leave(at place: Duration) -> [Step] {
    guard let current, let location = current.location, areKnown else { return [] }
    let verdict = current.verdict(leaving: place)
    // The entry may have been added "from the beginning". It has been heard by now, so from here on it resumes like any other.
    if verdict != .leave { anew.remove(current.entry) }
    switch verdict {
    case .leave: return []
    case .forget: return keep(nil, location)
    case .keep(let place):
      if current.beganElsewhere, let stored = self.place(of: location), stored > place { return [] }
      return keep(place, location)
    }
  }

  private mutating func keep(_ place: Duration?, _ location: String) -> [Step] {
    guard self.place(of: location) != place else { return [] }
    if changed.count >= Self.most, changed[location] == nil {
      for (location, place) in changed { loaded[location] = place }
      changed = [:]
    }
    changed[location] = .some(place)
    return [.keep(location, place)]
  }
}

extension ResumePlaces.Current {
  /// Where the entry begins in its file.
  fileprivate var start: Duration { span.map { CueSpan.time($0.start) } ?? .zero }

  /// Whether the file begins, the next time, where it was left; nil if that is not known yet. How long a part of a file is does not tell that.
  fileprivate var isKept: Bool? { ResumePlace.isKept(kind, length: span == nil ? length : nil) }

  /// What to do with the stored place of the file if the listener leaves the entry at `place`.
  fileprivate func verdict(leaving place: Duration) -> ResumePlace.Verdict {
    if span != nil, isKept != true { return .leave }
    let end = span?.end.map(CueSpan.time)
    if isHeard { return end.map { .keep($0) } ?? .forget }
    // Only at the end of its last chapter has a book been heard.
    let verdict = ResumePlace.verdict(leaving: place, kind, length: end == nil ? length : nil)
    if case .keep(let place) = verdict { return .keep(start + place) }
    return verdict
  }
}

extension ResumePlaces.Moment {
  /// The state of a player at `now`.
  init(_ player: Player, at now: Duration) {
    entry = player.queue.current
    place = player.place(at: now)
    length = player.length
    sounds = player.engine.loaded != nil && !player.engine.isCorked
    isStopped = player.session.intent == .stopped
  }
}
