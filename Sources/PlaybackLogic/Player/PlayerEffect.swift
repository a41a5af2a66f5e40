// SPDX-License-Identifier: MIT

/// What the player wants done, in this order.
public enum PlayerEffect: Sendable, Equatable {
  /// Drop what is heard and make this the sound.
  case load(Playing)
  /// Let this come after the playing with that number, without a gap; nil takes it back.
  case follow(UInt64, with: Playing?)
  /// Let go of the sound: nothing is loaded any more.
  case unload
  /// Be silent at once, or let it sound.
  case corked(Bool)
  /// The position jumped within the track.
  case seeked(Duration)
  /// An entry cannot be played, or not to its end; `isSkipped` where none of it was heard.
  case troubled(EntryID, reason: String, isSkipped: Bool)
  /// The queue, its order or the current entry changed.
  case queueChanged(QueueChange)
  /// An order was not carried out.
  case refused(Refusal)
  /// Send the timer's event after this time.
  case timer(PlayerTimer, after: Duration)
  /// The timer is not wanted any more.
  case cancelTimer(PlayerTimer)
  /// What the session wants besides: it never holds `corked` or `timer`, which are the player's own effects.
  case session(SessionOutput)
}

/// One playing of an entry.
public struct Playing: Sendable, Hashable {
  /// Its number; a repetition of the same entry has another.
  public let play: UInt64
  /// What is played.
  public let entry: Entry
  /// Where in it the sound begins.
  public let start: Duration
}

/// Why an order was not carried out.
public enum Refusal: String, Sendable, Hashable {
  /// There is nothing to play.
  case emptyQueue = "the queue is empty"
  /// Nothing comes after the current entry.
  case noNext = "nothing comes after this"
  /// Nothing is current.
  case nothingCurrent = "nothing is playing"
  /// The entry is not in the queue.
  case noSuchEntry = "there is no such entry"
}
