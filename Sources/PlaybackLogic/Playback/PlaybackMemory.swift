// SPDX-License-Identifier: MIT
import AudioModel

/// When an order to play came, as numbers of what had happened until then.
///
/// Such an order takes a while, because its file is looked up first. Whoever takes one notes the moment at which it came. What it may still do when it
/// is carried out depends on what has happened since: it starts no sound after somebody wanted silence.
package struct OrderMoment: Sendable, Hashable {
  /// The number of orders up to and including this one that lead to another track. A failed order is subtracted once its failure is known.
  var choices = 0
  /// The values of `choices` of failed orders that can't be subtracted yet, because a later order has come.
  private var failed: Set<Int> = []
  /// How often there had been a reason to be silent from then on: a person's order to pause, an order to stop, a lost output, the end of the sleep timer,
  /// the machine's sleep.
  var silencings = 0
  /// How many interruptions had begun.
  var interruptions = 0
}

extension OrderMoment {
  /// Why an order of an earlier moment is not carried out any more.
  package enum Hindrance: Sendable, Hashable {
    /// There has been a reason for silence since.
    case silenced
    /// A later order has chosen another track.
    case overtaken
  }

  /// Notes an order that was carried out as soon as it came. `changedTrack` says whether it led to another track, and `endedPlaying` whether music was
  /// wanted before it and is not any more.
  mutating func note(_ order: PlayerOrder, by sender: Sender, changedTrack: Bool, endedPlaying: Bool) {
    switch order {
    // A program that pauses, as while the phone rings, begins an interruption like any call: who orders something else meanwhile waits for its end.
    case .pause where sender != .user: if endedPlaying { silencings += 1 }
    case .pause, .stop: silencings += 1
    // Play is meant for whatever there is to play, and leads to no other track.
    case .play, .toggle: if endedPlaying { silencings += 1 }
    case .jump: choices += 1
    default: if changedTrack { choices += 1 }
    }
  }

  /// Takes back the order that came at this moment, because it came to nothing.
  mutating func forget(_ moment: OrderMoment) {
    failed.insert(moment.choices)
    while failed.remove(choices) != nil { choices -= 1 }
  }

  /// Why an order that came at `earlier` is refused at this moment; nil if it isn't. One to jump gives way to a later order. Others are about a queue
  /// that has replaced the former one, and that is the queue whatever has come meanwhile.
  func refusal(of order: PlayerOrder, since earlier: OrderMoment) -> Refusal? {
    switch hindrance(since: earlier) {
    case .silenced: return .silencedMeanwhile
    case .overtaken:
      guard case .jump = order else { return nil }
      return .overtaken
    case nil: return nil
    }
  }

  /// What keeps an order that came at `earlier` from starting its track at this moment; nil if nothing does.
  func hindrance(since earlier: OrderMoment) -> Hindrance? {
    if silencings != earlier.silencings { return .silenced }
    return choices == earlier.choices ? nil : .overtaken
  }
}

/// Finds the exact lengths of files that do not state theirs, such as an MP3 of variable bit rate without a tag. Playing does
/// not wait for that. Each file is measured once, however often somebody seeks in it.
struct TrackLengths: Sendable {
  /// The last playings that the sound engine was told to play, at once or next; four at most, the latest last.
  private var requested: [Playing] = []
  private var measuring: Set<EntryID> = []

  mutating func note(_ order: SoundOrder) {
    switch order {
    case .load(let playing), .follow(_, with: let playing?): requested = requested.suffix(3) + [playing]
    case .follow(_, with: nil), .unload, .cork: break
    }
  }

  mutating func opened(_ play: PlayID, _ length: Duration?, isExact: Bool) -> [PlaybackEffect] {
    guard let entry = requested.last(where: { $0.play == play })?.entry else { return [] }
    if isExact { return length.map { [.learned(entry.id, length: $0)] } ?? [] }
    // The lengths of entries that neither play nor come next are no longer needed.
    let outdated = measuring.filter { id in !requested.contains { $0.entry.id == id } }
    let isNew = measuring.insert(entry.id).inserted
    return outdated.map { .stopMeasuring($0) } + (isNew ? [.measure(entry)] : [])
  }

  /// Call when an entry was measured. Returns a report of the length for each playing of the entry, because a track that is repeated plays and comes
  /// next as well. Empty if the length was not found or the entry is no longer needed.
  mutating func measured(_ length: Duration?, of entry: EntryID) -> [SoundReport] {
    measuring.remove(entry)
    guard let length else { return [] }
    return requested.filter { $0.entry.id == entry }
      .map { .opened(play: $0.play, length: length, isExact: true) }
  }
}

/// Collects the parts of `Playback` that need a reading of the sound server. Only one reading is under way at a time, and it serves everybody who
/// asked before it began.
struct WorldReadings: Sendable {
  /// The parts that may need a reading: the route classifier, the call watcher, the call watcher because the server corked us, and the guard of other
  /// players.
  enum Reader { case route, calls, cork, others }

  /// A reading of the sound server that is under way: the parts that need it, and `StreamVolume.mark` of the time when it began.
  struct Reading {
    let readers: Set<Reader>
    let volumeMark: Int?
  }

  private(set) var underWay: Reading?
  private var waiting: Set<Reader> = []

  mutating func want(_ reader: Reader) { waiting.insert(reader) }

  /// Call when a reading of the sound server failed. The parts that needed it wait for the next one.
  mutating func wantAgain(_ failed: Reading) { waiting.formUnion(failed.readers) }

  /// Begins a reading of the sound server if a part needs one and none is under way. Returns whether it did. `mark` is `StreamVolume.mark` now.
  mutating func begin(at mark: Int?) -> Bool {
    guard underWay == nil, !waiting.isEmpty else { return false }
    underWay = Reading(readers: waiting, volumeMark: mark)
    waiting = []
    return true
  }

  mutating func end() { underWay = nil }

  /// Call when the server is gone: nobody waits for a reading any more.
  mutating func forget() { waiting = [] }
}
