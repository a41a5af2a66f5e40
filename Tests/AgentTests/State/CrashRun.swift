// SPDX-License-Identifier: MIT
import AgentLoop
import FaceModel
import FermataTestKit
import PlaybackLogic

/// An agent that is edited, killed and started again, beside a queue of our own to which the same is done.
struct CrashRun {
  let stage: StateStage
  private var edits: RandomEdits
  private var chance: SeededGenerator
  /// The queue as the agent has acknowledged it, and as it may be besides: with what came after the last answer.
  private var possible: [PlayQueue]
  /// How many rounds had a place to compare.
  private(set) var placesSeen = 0
  /// How many edits were never answered.
  private(set) var cutOff = 0

  init(seed: UInt64) async throws {
    let stage = try await StateStage()
    let sources = try (1..<4).map { number in
      try Noise.silence("\(number).wav", seconds: 60, in: stage.folder)
    }
    self.stage = stage
    edits = RandomEdits(chance: SeededGenerator(seed: seed), sources: sources, many: 25)
    chance = SeededGenerator(seed: seed ^ 1)
    var queue = StateStage.queue
    let first = Edit.order(.append(sources))
    _ = first.apply(to: &queue)
    try await stage.caller.call(first.call)
    possible = [queue]
  }

  /// Edits, kills in the middle of it, starts again and compares.
  mutating func round() async throws {
    try await play()
    for _ in 0..<edits.below(4) { try await edit() }
    let told = try await stage.caller.status()
    try await cutOffEdit()
    try await stage.restart()
    let status = try await stage.caller.status()
    try check(try await stage.caller.entries(), status)
    try checkPlace(told, status)
  }

  /// Has it play somewhere in its current entry, or in any.
  private mutating func play() async throws {
    if possible[0].current == nil || edits.below(8) == 0 {
      let row = edits.below(possible[0].count)
      let jump = Edit.jump(possible[0][row].id)
      _ = jump.apply(to: &possible[0])
      try await stage.caller.call(jump.call)
    } else {
      try await stage.caller.call(AgentCall(.play))
    }
    try await stage.caller.call(AgentCall(.seekTo(.seconds(edits.below(40)))))
    // An order is not waited for; an edit that changes something is, and with it all that was before.
    let before = Kept(possible[0])
    repeat { try await edit() } while Kept(possible[0]) == before
  }

  private mutating func edit() async throws {
    let edit = edits.next(for: possible[0], keeping: possible[0].current)
    _ = edit.apply(to: &possible[0])
    try await stage.caller.call(edit.call)
  }

  /// The edit during which the agent is killed.
  private mutating func cutOffEdit() async throws {
    let edit = edits.next(for: possible[0], keeping: possible[0].current)
    var after = possible[0]
    _ = edit.apply(to: &after)
    let caller = stage.caller
    let call = edit.call
    let answer = AgentLoop.task { (try? await caller.call(call)) != nil }
    dawdle(Int.random(in: 0..<40_000, using: &chance))
    stage.kill()
    let isAcknowledged = await answer.value
    if !isAcknowledged { cutOff += 1 }
    possible = isAcknowledged ? [after] : [possible[0], after]
  }

  /// Burns some time that nobody can foresee.
  private func dawdle(_ turns: Int) { for turn in 0..<turns { withExtendedLifetime(turn) {} } }

  private mutating func check(_ entries: [EntryID], _ status: StatusFace) throws {
    let found = Kept(
      rows: entries, current: status.current?.entry, repeats: status.repeatMode, shuffle: status.shuffleMode)
    guard let queue = possible.first(where: { Kept($0) == found }) else {
      throw KitError("restored \(found), expected one of \(possible.map { Kept($0) })")
    }
    possible = [queue]
  }

  private mutating func checkPlace(_ told: StatusFace, _ status: StatusFace) throws {
    guard let before = told.position, let after = status.position else { return }
    placesSeen += 1
    guard status.state == .paused, abs((after - before) / .seconds(1)) <= 5 else {
      throw KitError("\(status.state) at \(after), where \(before) was told")
    }
  }
}

/// What has to be the same after a crash.
private struct Kept: Equatable, CustomStringConvertible {
  let rows: [EntryID]
  let current: EntryID?
  let repeats: RepeatMode
  let shuffle: ShuffleMode

  var description: String {
    "\(rows.map(\.rawValue)), at \(current?.rawValue ?? 0), repeat \(repeats), shuffle \(shuffle)"
  }
}

extension Kept {
  init(_ queue: PlayQueue) {
    self.init(
      rows: queue.entries(at: 0..<queue.count).map(\.id), current: queue.current, repeats: queue.repeatMode,
      shuffle: queue.shuffleMode)
  }
}
