// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FaceModel
import FermataTestKit
import Glibc
import StoreIO
import Testing

@Suite(
  "A disk that is gone", .serialized, .realTime, .endsAnyway,
  .enabled(
    if: DeadMount.isPossible, "needs the superuser and /dev/fuse, for a file system that never answers"))
struct DeadDiskTests {
  /// An agent that has two tracks of one folder and one of another in its queue and is at the first of them; it has ended, and the disk
  /// with the first folder is gone.
  private func stage(pausing: Bool) throws -> (stage: AgentStage, disk: DeadMount) {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let disk = try stage.folder.makeFolder("disk")
    let files = try ["disk/one.wav", "disk/two.wav", "here.wav"].map { try stage.makeTone($0) }
    #expect(try stage.fermata(["play"] + files).status == .exited(0))
    try stage.waitForStatus("Playing")
    if pausing { #expect(try stage.fermata("pause").status == .exited(0)) }
    // What is told of a row is known once its tags are read.
    try stage.wait(for: "queue", "--json") { $0.split(separator: "\"duration\"").count > 3 }
    stage.agent.kill()
    return (stage, try DeadMount(on: disk))
  }

  /// Runs the program, which succeeds although the disk is gone, and without waiting for it.
  @discardableResult
  private func fermata(_ words: [String], _ stage: AgentStage) throws -> String {
    let start = Monotonic.now
    let run = try stage.fermata(words)
    #expect(run.status == .exited(0), "\(words): \(run.errors)")
    let time = Monotonic.now - start
    #expect(time < .seconds(6), "\(words) took \(time)")
    return run.output
  }

  /// Ends the agent, which does not wait for the disk.
  private func end(_ stage: AgentStage) throws {
    let time = try Monotonic.time { try stage.stop() }
    #expect(time < .seconds(6), "the end took \(time)")
  }

  @Test("under an order that is waited for: a pad is struck at once, though its kit was not loaded yet")
  func struckMeanwhile() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let folder = try stage.folder.makeFolder("disk")
    let disk = try DeadMount(on: folder)
    let order = try Child(.beside("fermata"), ["add", folder], environment: stage.environment)
    try disk.waitForVisitor()
    let begun = Monotonic.now
    #expect(try stage.fermata("pads", "hit", "1").status == .exited(0))
    let time = Monotonic.now - begun
    #expect(time < .seconds(2), "the hit took \(time)")
    order.kill()
    try end(stage)
    withExtendedLifetime(disk) {}
  }

  @Test("under its own files: the music plays on, keys work, and its place is stored when the disk is back")
  func underState() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    let recorder = try stage.server.record("speakers")
    let start = try recorder.waitForSound()
    var disk: DeadMount? = try DeadMount(on: stage.folder.path(".local"))
    try disk?.waitForVisitor()
    // Longer than all that was made in advance.
    let recording = try recorder.wait(forFrames: start + 10 * 44_100)
    // A sine is silent for a frame whenever it crosses zero.
    let gaps = recording.gaps(ofAtLeast: 2).filter {
      $0.upperBound > start && $0.lowerBound <= start + 9 * 44_100
    }
    #expect(gaps == [], "sound begins at \(start)")
    stage.playerctl("position", "30")
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    disk = nil
    let state = stage.folder.path(".local/state/fermata")
    try stage.wait(for: "status") { _ in
      (try? PositionFile(in: state))?.read().map { $0.position >= .seconds(30) } ?? false
    }
    try stage.restartAfterCrash()
    let position = try #require(stage.playerctl("position").flatMap { Double($0) })
    #expect((30..<32).contains(position))
    try stage.stop()
  }

  @Test(
    "under the current entry of a restored queue: the agent starts, answers and plays another row",
    arguments: [true, false])
  func restored(pausing: Bool) throws {
    let (stage, disk) = try stage(pausing: pausing)
    try stage.restartAfterCrash(into: "Paused")
    for words in [["status"], ["status", "--json"], ["volume"], ["queue", "--json"], ["repeat"]] {
      try fermata(words, stage)
    }
    let list = try fermata(["queue"], stage)
    #expect(list.contains("one") && list.contains("here"), "\(list)")
    #expect(stage.playerctl("metadata", "title") == "one")
    try fermata(["queue", "jump", "3"], stage)
    try stage.wait(for: "here", from: "metadata", "title")
    try stage.waitForStatus("Playing")
    let added = try stage.makeShortTone("added.wav")
    try fermata(["add", added], stage)
    try fermata(["play", added], stage)
    try stage.wait(for: "added", from: "metadata", "title")
    try stage.waitForStatus("Playing")
    try end(stage)
    withExtendedLifetime(disk) {}
  }

  @Test(
    "whose titles a list waits for: what was edited meanwhile is in it, as clients were told of that before")
  func edited() async throws {
    let (stage, disk) = try stage(pausing: true)
    try stage.restartAfterCrash(into: "Paused")
    let caller = try await AgentCaller.connected(to: stage.bus)
    try await onLoop { @AgentLoop in
      let rows = try RowsPage(reply: try await caller.call(.rows(from: 1, count: 3))).entries
      let list = caller.begin(.list(from: 1, count: 3))
      let upcoming = caller.begin(.upcoming(3))
      try await caller.call(AgentCall(QueueOrder.remove([rows[1]])))
      let page = try QueuePage(reply: try await list.value)
      #expect(page.items.map(\.entry) == [rows[0], rows[2]] && page.length == 2)
      let next = try QueuePage.upcoming(reply: try await upcoming.value)
      #expect(next.page.items.map(\.entry) == [rows[2]] && next.rows == [2])
      caller.leave()
    }
    try end(stage)
    withExtendedLifetime(disk) {}
  }

  @Test("ordered to play, it is waited for in silence; what else is ordered plays, and an end does not wait")
  func ordered() throws {
    let (stage, disk) = try stage(pausing: true)
    try stage.restartAfterCrash(into: "Paused")
    try fermata(["play"], stage)
    try stage.wait(for: "status", "--json") { $0.contains("\"stall\"") }
    try fermata(["queue", "jump", "3"], stage)
    try stage.wait(for: "here", from: "metadata", "title")
    try stage.waitForStatus("Playing")
    stage.playerctl("previous")
    try end(stage)
    withExtendedLifetime(disk) {}
  }

  @Test("named in an order, it is named in the refusal, and nobody else waits for it")
  func named() throws {
    let (stage, disk) = try stage(pausing: true)
    try stage.restartAfterCrash(into: "Paused")
    let path = stage.folder.path("disk/other.wav")
    let stuck = try Child(
      .named("gdbus", package: "libglib2.0-bin"),
      [
        "call", "--session", "--timeout", "60", "--dest", "org.fermata.Agent", "--object-path",
        "/org/fermata/Agent",
        "--method", "org.fermata.Queue1.Append", "['file://\(path)']",
      ], environment: stage.environment)
    try fermata(["add", try stage.makeShortTone("added.wav")], stage)
    #expect(try stage.entries().count == 4)
    #expect(stuck.exit(until: .patient).map { $0 != .exited(0) } == true)
    #expect(stuck.standardError.contains("'\(path)' does not answer"), "\(stuck.standardError)")
    #expect(try stage.entries().count == 4)
    try end(stage)
    withExtendedLifetime(disk) {}
  }

  @Test("under a file that a command names holds up the command alone, and Ctrl-C ends it")
  func commanded() throws {
    let (stage, disk) = try stage(pausing: true)
    try stage.restartAfterCrash(into: "Paused")
    let stuck = try Child(
      .beside("fermata"), ["add", stage.folder.path("disk/other.wav")], environment: stage.environment)
    try fermata(["add", try stage.makeShortTone("added.wav")], stage)
    stuck.send(signal: SIGINT)
    #expect(stuck.exit(until: .patient) == .killed(SIGINT))
    #expect(try stage.entries().count == 4)
    try end(stage)
    withExtendedLifetime(disk) {}
  }
}
