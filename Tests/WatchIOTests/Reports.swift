// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import MediaModel
import Testing
import WatchIO

/// A watch, and how often it has reported.
@AgentLoop
final class Reports {
  private(set) var count = 0
  private(set) var watch: FolderWatch?
  private let waiter = LoopWaiter()

  // No test gives an empty path, or one with a NUL.
  convenience init(_ path: String) { self.init(FilePath(path)!) }

  init(_ path: FilePath) { watch = FolderWatch(path) { [weak self] in self?.hear() } }

  func end() { watch = nil }

  private func hear() {
    count += 1
    waiter.look()
  }

  /// Does something, and says whether a report has followed.
  func follow(_ change: () throws -> Void) async rethrows -> Bool {
    let before = count
    try change()
    return await hasReported(since: before)
  }

  /// Whether another turn brings another report: a timer of no time fires after the descriptors have been looked at.
  func isBusy() async -> Bool {
    let before = count
    for _ in 0..<3 { await withUnsafeContinuation { done in AgentLoop.after(.zero) { done.resume() } } }
    return count > before
  }

  /// Whether there are more reports than `before`, at once or within the time that a busy machine may need.
  func hasReported(since before: Int) async -> Bool {
    let hasReported = (try? await waiter.wait(for: "a report") { self.count != before }) != nil
    if !hasReported, let trouble = watch?.trouble { Issue.record("\(trouble)") }
    return hasReported
  }
}
