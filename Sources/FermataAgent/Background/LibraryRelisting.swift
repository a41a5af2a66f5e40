// SPDX-License-Identifier: MIT
import AgentLoop

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
