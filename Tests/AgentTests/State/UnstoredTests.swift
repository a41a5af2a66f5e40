// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import Testing

@Suite("State that cannot be stored", .serialized, .realTime, .endsAnyway)
struct UnstoredTests {
  /// An agent that plays "one" and has "two" in its queue.
  private func playing() throws -> (stage: AgentStage, files: [String]) {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let files = try ["one", "two", "three"].map { try stage.makeShortTone("\($0).wav") }
    #expect(try stage.fermata("play", files[0], files[1]).status == .exited(0))
    try stage.waitForStatus("Playing")
    #expect(try stage.fermata("repeat", "all").status == .exited(0))
    return (stage, files)
  }

  /// What the queue and the modes are, for a comparison.
  private func kept(_ stage: AgentStage) throws -> [String] {
    let modes = try ["repeat", "shuffle"].map { try stage.fermata($0, "--json").output }
    return try stage.entries().map(String.init) + modes
  }

  private func expectRefused(_ run: AgentStage.Run, _ words: [String]) {
    #expect(run.status == .exited(73), "\(words): \(run.errors)")
    #expect(run.errors.contains("/.local/state/fermata/state.db: "), "\(words): \(run.errors)")
  }

  @Test("without room each edit is refused with the reason and taken back, and the music goes on")
  func full() throws {
    let (stage, files) = try playing()
    let before = try kept(stage)
    let edits = [
      ["add", files[2]], ["add", "--next", files[2]], ["queue", "remove", "1"], ["queue", "move", "1", "2"],
      ["queue", "undo"], ["queue", "clear"], ["repeat", "one"], ["shuffle", "songs"], ["play", files[2]],
      ["play", "--shuffle", files[2]],
    ]
    for edit in edits {
      // The first edit after there was room finds out; the same again is refused before it is begun.
      try stage.agent.setRoom(false)
      for _ in 1...2 { expectRefused(try stage.fermata(edit), edit) }
      #expect(try kept(stage) == before, "\(edit)")
      #expect(stage.playerctl("status") == "Playing", "\(edit)")
      #expect(stage.playerctl("metadata", "title") == "one", "\(edit)")
      try stage.agent.setRoom(true)
      try stage.wait(for: "status", "--json") { !$0.contains("\"stored\"") }
    }
    #expect(try stage.fermata("queue", "remove", "1").status == .exited(0))
    #expect(try stage.fermata("add", files[2]).status == .exited(0))
    // The refused ones have had the identities in between.
    let entries = try stage.entries()
    #expect(entries.count == 2 && entries[0] == 2 && entries[1] > 3)
    #expect(try stage.fermata("queue").output.contains("three"))
    try stage.restartAfterCrash()
    #expect(try stage.entries() == entries)
    try stage.stop()
  }

  @Test("those under way when the room ends are each stored or taken back, as they are answered")
  func underWay() async throws {
    let stage = try await StateStage()
    let source = try Noise.silence("a.wav", seconds: 5, in: stage.folder)
    let caller = stage.caller
    // Of most edits chance says whether there was room; the first has it, and those of the first round have not.
    let first = try await caller.call(AgentCall(.append([source]))).prefix(1)
    var kept = try Array(first).decoded(as: [UInt64].self).map(EntryID.init)
    var refused = 0
    for round in 0..<12 {
      if round == 0 { try stage.agent.setRoom(false) }
      let answers = (0..<8).map { _ in
        AgentLoop.task { () -> [EntryID] in
          let reply = try? await caller.call(AgentCall(.append([source]))).prefix(1)
          let added = reply.flatMap { try? Array($0).decoded(as: [UInt64].self) } ?? []
          return added.map(EntryID.init)
        }
      }
      try stage.agent.setRoom(false)
      for answer in answers {
        let added = await answer.value
        kept += added
        refused += added.isEmpty ? 1 : 0
      }
      #expect(try await caller.entries() == kept, "round \(round)")
      try stage.agent.setRoom(true)
      try await caller.wait(for: "stored") { $0.isStored }
      guard round % 3 == 0 else { continue }
      stage.kill()
      try await stage.restart()
      #expect(try await caller.entries() == kept, "after a crash, round \(round)")
    }
    #expect(refused >= 8)
    try stage.stop()
  }

  @Test("so are those of MPRIS")
  func desktop() throws {
    let (stage, files) = try playing()
    let before = try kept(stage)
    try stage.agent.setRoom(false)
    #expect(stage.playerctl("open", "file://\(files[2])") == nil)
    #expect(stage.playerctl("loop", "Track") == nil)
    #expect(stage.playerctl("shuffle", "On") == nil)
    #expect(try kept(stage) == before)
    #expect(stage.playerctl("metadata", "title") == "one")
    #expect(stage.playerctl("status") == "Playing")
    try stage.agent.setRoom(true)
    try stage.stop()
  }

  @Test("playing and the volume go on without the disk, which is said, and are stored when there is room")
  func transport() throws {
    let (stage, files) = try playing()
    try stage.agent.setRoom(false)
    for order in [["pause"], ["play"], ["seek", "5"], ["next"], ["volume", "30%"], ["pause"]] {
      let run = try stage.fermata(order)
      #expect(run.status == .exited(0), "\(order): \(run.errors)")
    }
    try stage.wait(for: "status", "--json") { $0.contains("\"stored\":false") }
    let doctor = try stage.fermata("doctor")
    #expect(doctor.status == .exited(1))
    #expect(doctor.output.contains("what is done now is not stored"), "\(doctor.output)")
    #expect(doctor.output.contains("state.db"))
    #expect(try stage.fermata("status").output.contains("not stored"))
    try stage.agent.setRoom(true)
    try stage.wait(for: "status", "--json") { !$0.contains("\"stored\"") }
    #expect(try !stage.fermata("doctor").output.contains("not stored"))
    try stage.restartAfterCrash()
    #expect(try stage.fermata("volume").output == "30%\n")
    #expect(stage.playerctl("metadata", "title") == "two")
    let run = try stage.fermata("add", files[2])
    #expect(run.status == .exited(0) && run.errors.isEmpty)
    #expect(try stage.entries().count == 3)
    try stage.stop()
  }

  @Test("an end with something unsaved is not told as a success", arguments: [true, false])
  func ending(isUnsaved: Bool) throws {
    let (stage, files) = try playing()
    try stage.agent.setRoom(false)
    expectRefused(try stage.fermata("add", files[2]), ["add"])
    if isUnsaved { #expect(try stage.fermata("volume", "30%").status == .exited(0)) }
    #expect(stage.agent.stop(within: .patience) == .exited(isUnsaved ? 73 : 0))
  }

  @Test("whoever ends the agent is told that something may be lost with it")
  func quitting() throws {
    let (stage, _) = try playing()
    try stage.agent.setRoom(false)
    #expect(try stage.fermata("volume", "30%").status == .exited(0))
    try stage.wait(for: "status", "--json") { $0.contains("\"stored\":false") }
    let run = try stage.fermata("quit")
    #expect(run.status == .exited(73) && run.errors.contains("may be lost"), "\(run.errors)")
  }

  @Test("the pads' volume is stored as soon as there is room")
  func pads() throws {
    let (stage, _) = try playing()
    try stage.agent.setRoom(false)
    #expect(try stage.fermata("pads", "volume", "30%").status == .exited(0))
    try stage.agent.setRoom(true)
    let file = stage.folder.path(".local/state/fermata/pads")
    try stage.wait(for: "status") { _ in access(file, F_OK) == 0 }
    try stage.restartAfterCrash()
    let told = try stage.fermata("pads", "--json").output
    #expect(told.contains("\"volume\":0.3"), "\(told)")
    try stage.stop()
  }

  @Test("an agent may be started in the moment in which another one was killed")
  func killed() throws {
    let (stage, _) = try playing()
    for _ in 0..<8 { try stage.restartAfterCrash() }
    try stage.stop()
  }

  @Test("a folder that is deleted is made again with all that is known, also where nobody edits")
  func deleted() throws {
    let (stage, files) = try playing()
    try stage.deleteState()
    #expect(try stage.fermata("add", files[2]).status == .exited(0))
    try stage.restartAfterCrash()
    #expect(try stage.entries() == [1, 2, 3])
    #expect(try stage.fermata("play").status == .exited(0))
    try stage.waitForStatus("Playing")
    try stage.deleteState()
    // The place is kept anew when all else is.
    try stage.wait(for: "status") { _ in access(stage.folder.path(".local/state/fermata/position"), F_OK) == 0
    }
    try stage.restartAfterCrash()
    #expect(try stage.entries() == [1, 2, 3])
    #expect(try stage.fermata("repeat").output == "all\n")
    try stage.stop()
  }

  @Test("where it cannot be made again, edits are refused until it can")
  func replaced() throws {
    let (stage, files) = try playing()
    try stage.deleteState()
    try stage.folder.write(".local/state/fermata", "in the way")
    let run = try stage.fermata("add", files[2])
    #expect(run.status == .exited(73) && run.errors.contains("Not a directory"), "\(run.errors)")
    #expect(try stage.entries() == [1, 2])
    #expect(stage.playerctl("status") == "Playing")
    unlink(stage.folder.path(".local/state/fermata"))
    #expect(try stage.fermata("add", files[2]).status == .exited(0))
    try stage.restartAfterCrash()
    #expect(try stage.entries().count == 3)
    try stage.stop()
  }

  @Test("where there never was a store, the agent plays on, says so at each edit, and stores when it can")
  func unusable() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder(".local")
    try folder.write(".local/state", "in the way")
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]), folder: folder)
    #expect(stage.agent.standardError.contains("not stored: \(folder.path)/.local/state"))
    let file = try stage.makeShortTone("one.wav")
    for edit in [["play", file], ["add", file], ["queue", "move", "1", "2"], ["repeat", "all"]] {
      let run = try stage.fermata(edit)
      #expect(run.status == .exited(0))
      #expect(run.errors.contains("not stored: \(folder.path)/.local/state"), "\(edit): \(run.errors)")
    }
    #expect(try stage.fermata("volume", "30%").errors.isEmpty)
    try stage.waitForStatus("Playing")
    #expect(try stage.fermata("status", "--json").output.contains("\"stored\":false"))
    #expect(try stage.fermata("doctor").output.contains("what is done now is not stored"))
    unlink(folder.path(".local/state"))
    try stage.wait(for: "status", "--json") { !$0.contains("\"stored\"") }
    #expect(try stage.fermata("add", file).errors.isEmpty)
    try stage.restartAfterCrash()
    #expect(try stage.entries().count == 3)
    #expect(try stage.fermata("volume").output == "30%\n")
    try stage.stop()
  }

  @Test("a stored queue that is found late becomes the agent's, paused at its place, if nobody has edited")
  func foundLate() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(stage.makeTone())
    for order in [["pause"], ["seek", "20"]] { #expect(try stage.fermata(order).status == .exited(0)) }
    let (state, elsewhere) = (stage.folder.path(".local/state"), stage.folder.path("elsewhere"))
    try #require(rename(state, elsewhere) == 0)
    try stage.folder.write(".local/state", "in the way")
    try stage.restartAfterCrash(into: "Stopped")
    unlink(state)
    try #require(rename(elsewhere, state) == 0)
    try stage.wait(for: "status", "--json") { !$0.contains("\"stored\"") }
    #expect(stage.playerctl("status") == "Paused")
    #expect(stage.playerctl("position").flatMap(Double.init).map { (20...30).contains($0) } == true)
    #expect(try stage.fermata("play").status == .exited(0))
    try stage.waitForStatus("Playing")
    try stage.stop()
  }

  @Test("the volume and the settings of then count, not those that are found with a queue later")
  func foundLateVolume() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    _ = try stage.fermata("settings", "set", "repeat", "none")
    try stage.play(stage.makeTone())
    let gone = try stage.makeShortTone("gone.wav")
    for order in [["pause"], ["volume", "90"], ["add", gone]] {
      #expect(try stage.fermata(order).status == .exited(0))
    }
    unlink(gone)
    let (state, elsewhere) = (stage.folder.path(".local/state"), stage.folder.path("elsewhere"))
    try #require(rename(state, elsewhere) == 0)
    try stage.folder.write(".local/state", "in the way")
    try stage.restartAfterCrash(into: "Stopped")
    for order in [["volume", "20"], ["settings", "set", "repeat", "all"]] {
      #expect(try stage.fermata(order).status == .exited(0))
    }
    unlink(state)
    try #require(rename(elsewhere, state) == 0)
    try stage.wait(for: "queue", "--json") { $0.contains("\"missing\":true") }
    #expect(stage.playerctl("status") == "Paused")
    #expect(try stage.fermata("volume", "--json").output.contains("\"volume\":0.2"))
    #expect(stage.playerctl("loop") == "Playlist")
    try stage.restartAfterCrash(into: "Paused")
    #expect(try stage.fermata("volume", "--json").output.contains("\"volume\":0.2"))
    try stage.stop()
  }

  @Test("nor is an end without a store, if there is a queue")
  func endingWithoutStore() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder(".local")
    try folder.write(".local/state", "in the way")
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]), folder: folder)
    _ = try stage.fermata("add", stage.makeShortTone("one.wav"))
    #expect(stage.agent.stop(within: .patience) == .exited(73))
  }

  @Test(
    "a state.db that may not be read or written stays where it is, and serves again when it may",
    arguments: [0, 0o400])
  func forbidden(mode: mode_t) async throws {
    let stage = try await StateStage(.plain)
    let tone = try ToneFile.wav(
      "one.wav", [0.1, 0.2], AudioFormat(rate: 8_000, channels: 1), in: stage.folder)
    let file = try #require(FilePath(tone))
    try await stage.caller.call(AgentCall.play([.file(file)], PlayOptions()))
    stage.kill()
    let path = stage.folder.path(".local/state/fermata/state.db")
    #expect(chmod(path, mode) == 0)
    try await stage.restart()
    #expect(try await stage.caller.entries().isEmpty)
    let doctor = try Child.withoutRights(.beside("fermata"), ["doctor"], environment: stage.environment)
    _ = doctor.exit(until: .patient)
    #expect(
      doctor.standardOutput.contains("state.db: can't open: Permission denied"), "\(doctor.standardOutput)")
    #expect(chmod(path, 0o600) == 0)
    try await stage.caller.wait(for: "stored") { $0.isStored && $0.queueLength == 1 }
    #expect(stage.folder.names(in: ".local/state/fermata").allSatisfy { !$0.contains("damaged") })
    try stage.stop()
  }

  @Test("a folder or a pipe in the place of state.db is set aside", arguments: [true, false])
  func otherThings(isFolder: Bool) throws {
    let folder = try TemporaryDirectory()
    for name in [".local", ".local/state", ".local/state/fermata"] { try folder.makeFolder(name) }
    let path = folder.path(".local/state/fermata/state.db")
    #expect((isFolder ? mkdir(path, 0o700) : mkfifo(path, 0o600)) == 0)
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]), folder: folder)
    let run = try stage.fermata("add", stage.makeShortTone("one.wav"))
    #expect(run.status == .exited(0) && run.errors.isEmpty)
    try stage.restartAfterCrash(into: "Stopped")
    #expect(try stage.entries() == [1])
    try stage.stop()
  }
}

extension AgentStage {
  private var state: String { ".local/state/fermata" }

  /// Deletes the state of the running agent.
  func deleteState() throws {
    for name in ["state.db", "state.db-wal", "state.db-shm", "lock", "position"] {
      unlink(folder.path("\(state)/\(name)"))
    }
    try #require(rmdir(folder.path(state)) == 0)
  }

  /// The identities of all rows.
  func entries() throws -> [Int] {
    let list = try fermata("queue", "--json").output
    return list.split(separator: "\"entry\":").dropFirst().compactMap { part in
      Int(part.prefix { $0.isNumber })
    }
  }

  func fermata(_ words: [String]) throws -> Run {
    let child = try Child(.beside("fermata"), words, environment: environment)
    let status = child.exit(until: .patient)
    return Run(status: status, output: child.standardOutput, errors: child.standardError)
  }
}

extension Child {
  /// Whether its files may grow. A place of 64 bytes may be written in any case.
  func setRoom(_ isThere: Bool) throws {
    _ = try Child.run(
      .named("prlimit", package: "util-linux"),
      ["--pid", "\(processID)", "--fsize=\(isThere ? "unlimited" : "64"):"])
  }
}
