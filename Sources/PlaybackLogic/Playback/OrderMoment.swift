// SPDX-License-Identifier: MIT

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
