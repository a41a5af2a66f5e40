// SPDX-License-Identifier: MIT
import PlaybackLogic

/// What the store's thread does with its jobs. Belongs to that thread; every call blocks.
final class StoreWriter {
  private let file: StateFile
  private let plan: StorePlan
  private let report: @Sendable (StoreError) -> Void
  /// Whether the next command can follow those that are stored.
  private var canContinue: Bool
  /// Why not, if something has failed.
  private var failure: StoreError?
  /// A base of which parts are still to be written.
  private var growing: NewBase?
  // Parts of a base that was never finished may be left from the last time.
  private var isUntidy = true

  init(_ file: StateFile, _ plan: StorePlan, hasBase: Bool, report: @escaping @Sendable (StoreError) -> Void)
  {
    self.file = file
    self.plan = plan
    self.report = report
    canContinue = hasBase
  }

  /// Does all of these and tells each how it went.
  func perform(_ jobs: [StoreJob]) {
    var rest = jobs[...]
    while !rest.isEmpty { rest = rest.dropFirst(canContinue ? append(rest) : begin(rest)) }
  }

  /// Writes the queue whole, as the latest of the jobs that bring one has it. Returns how many jobs that settles.
  private func begin(_ jobs: ArraySlice<StoreJob>) -> Int {
    guard let last = jobs.lastIndex(where: { $0.base != nil }), let queue = jobs[last].base else {
      plan.demand()
      let error =
        failure ?? StoreError(.write, file: file.database.path, reason: "the queue was never stored")
      for job in jobs { job.done(error) }
      return jobs.count
    }
    let settled = jobs[...last]
    settle(settled) { () throws(StoreError) in
      try rewrite(queue, volume: settled.lazy.compactMap(\.volume).last)
    }
    return settled.count
  }

  /// Adds to the journal, and begins a base where one came along. Returns how many jobs that settles.
  private func append(_ jobs: ArraySlice<StoreJob>) -> Int {
    // A base holds what was done up to it, so what follows waits for the next transaction.
    let last = jobs.firstIndex { $0.base != nil } ?? jobs.index(before: jobs.endIndex)
    let batch = jobs[...last]
    settle(batch) { () throws(StoreError) in try file.commit(batch.flatMap(\.changes)) }
    if canContinue, let queue = jobs[last].base { grow(queue) }
    return batch.count
  }

  private func settle(_ jobs: ArraySlice<StoreJob>, _ body: () throws(StoreError) -> Void) {
    do {
      try body()
      for job in jobs { job.done(nil) }
    } catch {
      // The queue has changed and the disk has not: only the whole queue brings them together again.
      (canContinue, failure, growing) = (false, error, nil)
      plan.demand()
      for job in jobs { job.done(error) }
    }
  }

  private func rewrite(_ queue: PlayQueue, volume: Double?) throws(StoreError) {
    try file.rewrite(queue, volume: volume)
    (canContinue, failure, growing, isUntidy) = (true, nil, nil, true)
  }

  /// Makes sure that the queue is stored whole; the last thing that is done.
  func finish(_ queue: PlayQueue) -> StoreError? {
    if canContinue, file.isWhole { return nil }
    do {
      try rewrite(queue, volume: nil)
      return nil
    } catch {
      return error
    }
  }

  // MARK: In small steps

  private func grow(_ queue: PlayQueue) {
    quietly { () throws(StoreError) in
      growing = try file.base(of: queue)
      isUntidy = true
    }
  }

  /// Does a little of what no change waits for. Returns whether there is more of it.
  func work() -> Bool {
    quietly { () throws(StoreError) in
      guard var new = growing else {
        if isUntidy { isUntidy = try file.tidy() }
        return
      }
      let isLast = try file.writePart(of: &new)
      if isLast { try file.adopt(new) }
      growing = isLast ? nil : new
    }
    return growing != nil || isUntidy
  }

  /// The journal goes on without; the next base is begun after as many edits again.
  private func quietly(_ body: () throws(StoreError) -> Void) {
    do {
      try body()
    } catch {
      (growing, isUntidy) = (nil, false)
      report(error)
    }
  }
}
