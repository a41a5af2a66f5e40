// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic
import ReaderIO

/// Decides when those entries are read once more that could not be read for their disk's sake: it may be starting up, its network may be gone for a
/// while, or somebody was just writing the file.
///
/// One entry is tried at a time: if its disk still does not answer, the others would wait as long for it. Each wait is twice the one before. When one
/// could be read, the others are tried at once, one after the other; a new entry that could not be begins with the shortest wait again.
struct ItemRetries {
  static let firstWait = Duration.seconds(10)
  /// After this wait nothing is tried any more before `beginAnew`; the whole takes some twenty minutes.
  static let lastWait = Duration.seconds(640)

  /// The entries to try, the next one first.
  private var waiting: [EntryID] = []
  private var wait = ItemRetries.firstWait
  /// The time at which `take` is to be called, by the clock of the loop; nil if nothing is to be tried.
  private(set) var due: Duration?

  /// Whether this entry is to be read once more.
  func contains(_ entry: EntryID) -> Bool { waiting.contains(entry) }

  /// Notes that an entry could not be read, or that its former reading has not returned yet.
  mutating func failed(_ entry: EntryID, at now: Duration) {
    let known = waiting.firstIndex(of: entry)
    if let known { waiting.remove(at: known) } else { (due, wait) = (nil, Self.firstWait) }
    waiting.append(entry)
    guard due == nil, wait <= Self.lastWait else { return }
    due = now + wait
    wait *= 2
  }

  /// Notes that an entry was read. The others may have the same disk.
  mutating func succeeded(_ entry: EntryID, at now: Duration) {
    guard let index = waiting.firstIndex(of: entry) else { return }
    waiting.remove(at: index)
    wait = Self.firstWait
    due = waiting.isEmpty ? nil : now
  }

  /// Tries what was given up from the beginning: something has changed on the disks.
  mutating func beginAnew(at now: Duration) {
    guard due == nil, wait > Self.lastWait, !waiting.isEmpty else { return }
    (due, wait) = (now, Self.firstWait)
  }

  /// The entry to try now; nil if it is not time. To be followed by `failed`, `succeeded` or `drop`.
  mutating func take(at now: Duration) -> EntryID? {
    guard let due, due <= now else { return nil }
    self.due = nil
    return waiting.first
  }

  /// Forgets an entry, which nobody asks for any more. If it was just being tried, the others do not wait for what comes of it.
  mutating func drop(_ entry: EntryID, at now: Duration) {
    let isTried = due == nil && waiting.first == entry && wait <= Self.lastWait
    waiting.removeAll { $0 == entry }
    if waiting.isEmpty { due = nil } else if isTried { due = now + wait }
  }
}

/// Says when the library is to be asked once more about items that it was asked about before: soon after it has changed, and where it did not answer in
/// time, later after each attempt.
@AgentLoop
final class LibraryRelisting {
  private let ask: @AgentLoop () -> Void
  /// The timer for the next question, and when that is due; nil if the library need not be asked.
  private var next: (timer: LoopTimer, due: Duration)?
  /// How many questions in a row the library has not answered in time.
  private var timesBusy = 0

  /// A library that is scanned changes all the time.
  private static let firstDelay = Duration.milliseconds(500)
  /// After so many questions without an answer the library is asked only when it changes.
  private static let mostBusy = 7

  /// `ask` is called when a question is due.
  init(_ ask: @escaping @AgentLoop () -> Void) { self.ask = ask }

  func libraryChanged(concernsItems: Bool) {
    timesBusy = 0
    if concernsItems { ask(after: Self.firstDelay) }
  }

  /// Call when somebody else's question was not answered in time.
  func libraryIsBusy() {
    if timesBusy < Self.mostBusy { ask(after: Self.firstDelay * (1 << timesBusy)) }
  }

  /// Call when the question that was due has been answered, or not in time.
  func ended(isAnswered: Bool) {
    timesBusy = isAnswered ? 0 : timesBusy + 1
    if !isAnswered { libraryIsBusy() }
  }

  private func ask(after delay: Duration) {
    let due = AgentLoop.now + delay
    if let next, next.due <= due { return }
    next?.timer.cancel()
    let timer = AgentLoop.after(delay) { [weak self] in
      self?.next = nil
      self?.ask()
    }
    next = (timer, due)
  }
}

/// Lets go of a reader's processes some time after they have ended. Its timer runs only while there are any.
@AgentLoop
final class ReaderTidying {
  private let reader: ReaderClient
  private var timer: LoopTimer?

  /// How long to wait before looking: longer than a process without work stays alive.
  private static let delay = Duration.seconds(35)

  init(_ reader: ReaderClient) {
    self.reader = reader
    reader.whenStarted { [weak self] in AgentLoop.task { self?.tidySoon() } }
    // The reader may have been used before, so its processes may be running already.
    if reader.tidy() { tidySoon() }
  }

  private func tidySoon() {
    guard timer == nil else { return }
    timer = AgentLoop.after(Self.delay) { [weak self] in
      self?.timer = nil
      if self?.reader.tidy() == true { self?.tidySoon() }
    }
  }
}
