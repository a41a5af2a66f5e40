// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("Editing the queue while it plays", .serialized, .realTime, .endsAnyway)
struct EditingTests {
  @Test("a thousand edits around what plays change no sample of it, and what was last wanted follows")
  func storm() async throws {
    let seed = UInt64.random(in: 1 ... .max)
    let stage = try await StateStage()
    // Each edit waits for the disk. Beside other tests that took 17 ms, and the thousand has to fit in.
    let seconds = 24
    let played = try Noise("played.wav", seed: 1, frames: seconds * 44_100, in: stage.folder)
    let last = try Noise("last.wav", seed: 2, frames: 44_100, in: stage.folder)
    let others = try (3..<9).map { try Noise("\($0).wav", seed: $0, frames: 30_000, in: stage.folder).source }
    let recorder = try stage.server.record("speakers")
    var queue = StateStage.queue
    var edits = RandomEdits(chance: SeededGenerator(seed: seed), sources: others)
    try await make(.play([played.source]), in: &queue, by: stage)
    _ = queue.start()
    let start = try recorder.waitForSound()
    let end = start + seconds * 44_100
    var count = 0
    // The last ones come when all that they change was written long ago.
    while count < 1_000 || recorder.frames < end - 40_000, recorder.frames < end - 30_000 {
      try await make(edits.next(for: queue, keeping: queue.current), in: &queue, by: stage)
      count += 1
    }
    #expect(count >= 1_000, "only \(count) edits while it played; seed \(seed)")
    // Whatever was asked for next before would come first.
    let rest = queue.entries(at: 0..<queue.count).map(\.id).filter { $0 != queue.current }
    let ending: [Edit] = [
      .repeats(.none), .shuffle(.off), .order(.remove(rest)), .order(.append([last.source])),
    ]
    for edit in ending { try await make(edit, in: &queue, by: stage) }
    #expect(try await stage.caller.entries() == queue.entries(at: 0..<queue.count).map(\.id), "seed \(seed)")
    let recording = try recorder.wait(forFrames: end + 44_100, within: .patience)
    let difference = recording.firstDifference(from: played.samples + last.samples)
    #expect(difference == nil, "sample \(difference ?? 0) of \(played.samples.count); seed \(seed)")
    try stage.stop()
  }

  @Test("an order of somebody who waits for no answer and leaves is carried out, however long it takes")
  func noAnswerWanted() async throws {
    let stage = try await StateStage()
    _ = try Noise("a.wav", seed: 1, frames: 1_000, in: stage.folder)
    let count = 30_000
    let list = try stage.folder.write("list.m3u8", String(repeating: "a.wav\n", count: count))
    try Child.run(
      .named("busctl", package: "systemd"),
      [
        "--address=\(stage.busAddress)", "--expect-reply=no", "call", "org.fermata.Agent",
        "/org/fermata/Agent", "org.fermata.Queue1", "Append", "as", "1", "file://\(list)",
      ], environment: stage.environment)
    let deadline = Deadline.patient
    var length = 0
    while length == 0, !deadline.hasPassed { length = try await stage.caller.status().queueLength }
    #expect(length == count)
    try stage.stop()
  }

  @Test("what is put next when the end was written already is heard there without a gap")
  func lateNext() async throws {
    let stage = try await StateStage()
    let noises = try (1...3).map { number in
      try Noise(
        "\(number).wav", seed: UInt64(number), frames: [132_300, 30_000, 30_000][number - 1], in: stage.folder
      )
    }
    let recorder = try stage.server.record("speakers")
    try await stage.caller.call(AgentCall.play([noises[0].source, noises[1].source], PlayOptions()))
    let start = try recorder.waitForSound()
    try recorder.wait(forFrames: start + 132_300 - 22_050)
    try await stage.caller.call(AgentCall(.addNext([noises[2].source])))
    let recording = try recorder.wait(forFrames: start + 192_300, within: .patience)
    let difference = recording.firstDifference(
      from: noises[0].samples + noises[2].samples + noises[1].samples)
    #expect(difference == nil, "sample \(difference ?? 0)")
    try stage.stop()
  }

  private func make(_ edit: Edit, in queue: inout PlayQueue, by stage: StateStage) async throws {
    #expect(edit.apply(to: &queue))
    try await stage.caller.call(edit.call)
  }
}
