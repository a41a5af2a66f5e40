// SPDX-License-Identifier: MIT
import AgentLoop
import MediaModel
import PlaybackLogic
import Synchronization

// Items for many entries at a time.
extension ItemService {
  /// How long a listing waits for the disk.
  private static let patience = Duration.milliseconds(500)

  /// What is known about these entries of a queue that has `count` of them. What is not known yet is read first, as far as that is
  /// possible in a short time.
  ///
  /// If the whole queue can be kept, what is read is kept, with the pictures, and reported as news. For a longer queue only tags are
  /// read, and nothing is kept: a listing must not push out the items of what plays.
  func items(_ entries: [Entry], of count: Int) async -> [Known] {
    let end = AgentLoop.now + Self.patience
    guard count > Self.most / 2 else {
      for entry in entries { _ = item(entry) }
      for entry in entries where AgentLoop.now < end { await settle(entry, within: end - AgentLoop.now) }
      return entries.map(item)
    }
    let found = await read(entries.filter { !isKnown($0.id) }, until: end)
    return entries.map { isKnown($0.id) ? item($0) : found[$0.id] ?? Self.unread($0) }
  }

  private func read(_ entries: [Entry], until end: Duration) async -> [EntryID: Known] {
    let reading = Reading()
    guard !entries.isEmpty else { return [:] }
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      var waiting: UnsafeContinuation<Void, Never>? = continuation
      let finish = {
        waiting?.resume()
        waiting = nil
      }
      let timer = AgentLoop.after(end - AgentLoop.now) {
        // What is not read by now is not wanted any more.
        reading.end()
        finish()
      }
      AgentLoop.task { [thread, tags, titles] in
        try? await thread.run { job in
          for entry in entries {
            guard !reading.isOver else { return }
            job.looks(at: entry.location)
            if let known = Self.tagged(entry, tags, titles) { reading.add(known, of: entry.id) }
          }
        }
        timer.cancel()
        finish()
      }
    }
    return reading.found
  }

  /// What the thread has read so far, shared with a caller that may stop waiting at any time. Any thread.
  private final class Reading: Sendable {
    private struct State {
      var found: [EntryID: Known] = [:]
      var isOver = false
    }
    private let state = Mutex(State())

    var found: [EntryID: Known] { state.withLock { $0.found } }
    var isOver: Bool { state.withLock { $0.isOver } }
    func add(_ known: Known, of entry: EntryID) { state.withLock { $0.found[entry] = known } }
    func end() { state.withLock { $0.isOver = true } }
  }
}
