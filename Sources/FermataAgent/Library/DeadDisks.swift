// SPDX-License-Identifier: MIT
import AgentLoop
import LibraryModel
import MediaModel
import Synchronization

/// The library's folders, and folders and links in them, whose disk or network does not answer. A thread that asked waits there, perhaps for ever, and no
/// scan sends another after it.
///
/// A thread may also come back with an error after minutes, each time anew. So a folder that did not answer twice in a row is left alone for a while
/// after that, and longer each time.
@AgentLoop
final class DeadDisks {
  /// Called when a folder may be tried again.
  var answered: @AgentLoop () -> Void = {}

  private var reasons: [FilePath: (text: String, number: Int)] = [:]
  /// The folders from which the thread has come back, and which are left alone for a while.
  private var resting: Set<FilePath> = []
  private var lastNumber = 0
  /// For each folder that did not answer in the last walk: how long it will be left alone if it does not answer in the next one either.
  private var rests: [FilePath: Backoff] = [:]
  /// For each folder where a thread waits: `next` is when the folder may next be tried because something was mounted anywhere else, and `pause` how long
  /// such mounts do not count after that.
  private var guesses: [FilePath: (next: Duration, pause: Backoff)] = [:]

  /// Why a folder is left out; nil if it may be tried.
  func reason(_ folder: FilePath) -> String? { reasons[folder]?.text }

  /// The places inside these folders that are left out, though the folders themselves may be tried.
  func inside(_ folders: [FilePath]) -> [FilePath] {
    reasons.keys.filter { place in folders.contains(where: place.isBelow) }
  }

  /// Notes that a thread waits in a folder until `end`.
  func add(_ folder: FilePath, _ reason: String, until end: WalkEnd) {
    lastNumber += 1
    let number = lastNumber
    reasons[folder] = (reason, number)
    resting.remove(folder)
    let rest = rests[folder]?.next() ?? .zero
    if rest == .zero { rests[folder] = Backoff(first: .seconds(60), limit: .seconds(60 * 60)) }
    end.whenCome { [weak self] in
      AgentLoop.task { self?.rest(folder, number, for: rest) }
    }
  }

  /// `number` is that of the thread that came back. Another may wait there by now.
  private func rest(_ folder: FilePath, _ number: Int, for time: Duration) {
    guard reasons[folder]?.number == number else { return }
    resting.insert(folder)
    AgentLoop.after(time) { [weak self] in
      guard let self, reasons[folder]?.number == number else { return }
      tryNow([folder])
      answered()
    }
  }

  /// Lets those of these folders be tried that only rest, because somebody asks for them. Where a thread still waits, no second one is sent.
  func tryNow(_ folders: [FilePath]) {
    for place in resting.filter({ folders.contains(where: $0.isAtOrBelow) }) {
      resting.remove(place)
      reasons[place] = nil
    }
  }

  /// Lets those folders be tried again that only rest, and those where something was mounted or unmounted at `now`: another disk may be there, though a
  /// thread still waits for the former one. A folder may also be a link to where that was, which could only be asked of the disk. So a mount anywhere
  /// counts for all folders, but ever less often: each try may cost a thread. Returns whether there are such folders.
  func forget(mountsAt points: Set<FilePath>, at now: Duration) -> Bool {
    let tried = reasons.keys.filter { resting.contains($0) || concerns(points, $0, at: now) }
    for folder in tried {
      reasons[folder] = nil
      resting.remove(folder)
    }
    return !tried.isEmpty
  }

  private func concerns(_ points: Set<FilePath>, _ folder: FilePath, at now: Duration) -> Bool {
    if points.contains(where: folder.shares(branchWith:)) { return true }
    var guess = guesses[folder] ?? (now, Backoff(first: .seconds(60), limit: .seconds(12 * 60 * 60)))
    guard now >= guess.next else { return false }
    guess.next = now + guess.pause.next()
    guesses[folder] = guess
    return true
  }

  /// Notes that a walk went through these folders, except what was left out in them.
  func wentThrough(_ folders: [FilePath]) {
    func isPassed(_ place: FilePath) -> Bool {
      reasons[place] == nil && folders.contains(where: place.isAtOrBelow)
    }
    rests = rests.filter { !isPassed($0.key) }
    guesses = guesses.filter { !isPassed($0.key) }
  }
}

/// The end of a walk, for whoever still waits for it when its scan does not. Safe on any thread.
final class WalkEnd: Sendable {
  private let state = Mutex((hasCome: false, action: (@Sendable () -> Void)?.none))

  // A walk that no thread has begun is over as well, when it is forgotten.
  deinit { come() }

  /// Called by the thread that walked.
  func come() {
    let action = state.withLock { state in
      defer { state = (true, nil) }
      return state.action
    }
    action?()
  }

  /// Has `action` be called at the end; at once if it has come.
  func whenCome(_ action: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      if !state.hasCome { state.action = action }
      return state.hasCome
    }
    if hasCome { action() }
  }
}
