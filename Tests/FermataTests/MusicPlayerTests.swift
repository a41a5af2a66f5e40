// SPDX-License-Identifier: MIT
import BusIO
import Fermata
import FermataTestKit
import Glibc
import Testing

@Suite("The player of the session, from another program", .serialized, .timeLimit(.minutes(5)))
struct MusicPlayerTests {
  @Test("a queue is set, played, skipped, paused and sought, and each state is told")
  func transport() async throws {
    try await Stage.run { stage in
      let player = stage.player
      var states = player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .stopped)
      let added = try await player.setQueue(with: [stage.tone("one"), stage.tone("two")])
      #expect(added.count == 2 && added.leftOut.isEmpty)
      #expect(try await player.state == .stopped)
      #expect(try await player.play() == nil)
      #expect(await states.next() == .playing)
      #expect(try await player.nowPlaying?.item.title == "one")
      try await player.skipToNextItem()
      #expect(try await player.nowPlaying?.item.title == "two")
      await #expect(throws: MusicError.self) { try await player.skipToNextItem() }
      try await player.pause()
      #expect(await states.next() == .paused)
      try await player.seek(to: .seconds(20))
      try await player.seek(by: .seconds(-5))
      #expect(try await player.position == .seconds(15))
      try await player.skipToPreviousItem()
      try await player.stop()
      #expect(await states.next() == .stopped)
    }
  }

  @Test("rows are inserted, moved, removed and played by their identity, and edits are undone")
  func queue() async throws {
    try await Stage.run { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one"), stage.tone("two")])
      try await player.play()
      try await player.append([stage.tone("three")])
      try await player.insert([stage.tone("zero")], at: 0)
      try await player.insertNext([stage.tone("next")])
      func titles() async throws -> [String] { try await player.entries().map(\.item.title) }
      #expect(try await titles() == ["zero", "one", "next", "two", "three"])
      let entries = try await player.entries()
      try await player.move(entries[4].id, to: 1)
      #expect(try await titles() == ["zero", "three", "one", "next", "two"])
      try await player.remove([entries[0].id, entries[2].id])
      #expect(try await titles() == ["three", "one", "two"])
      try await player.undo()
      #expect(try await titles() == ["zero", "three", "one", "next", "two"])
      try await player.redo()
      try await player.play(entries[3].id)
      #expect(try await player.nowPlaying?.id == entries[3].id)
      #expect(try await player.entries().map(\.isCurrent) == [false, false, true])
      #expect(try await player.entries(from: 1, count: 1).map(\.item.title) == ["one"])
      #expect(try await player.entries(from: 7).isEmpty)
      await #expect(throws: MusicError.self) { try await player.setQueue(with: [.path("/no/such/file")]) }
      #expect(try await titles() == ["three", "one", "two"])
      try await player.removeAll()
      #expect(try await player.entries().isEmpty)
    }
  }

  @Test("volume and modes are set, read back and told, whoever sets them")
  func volumeAndModes() async throws {
    try await Stage.run { stage in
      let player = stage.player
      var volumes = player.volumeUpdates.makeAsyncIterator()
      #expect(await volumes.next() == 1)
      try await player.setVolume(0.25)
      #expect(await volumes.next() == 0.25)
      try stage.fermata("volume", "50%")
      #expect(await volumes.next() == 0.5)
      await #expect(throws: MusicError.self) { try await player.setVolume(1.5) }
      try await player.setRepeatMode(.all)
      try await player.setShuffleMode(.albums)
      #expect(try await player.repeatMode == .all)
      #expect(try await player.shuffleMode == .albums)
      try await player.setRepeatMode(.default)
      #expect(try await player.repeatMode == .none)
    }
  }

  @Test("a held seek goes on while it is held, and ends when it is let go")
  func heldSeek() async throws {
    try await Stage.run { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one")])
      try await player.play()
      var states = player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .playing)
      try await player.beginSeeking(.forward)
      #expect(await states.next() == .seekingForward)
      try await player.endSeeking()
      #expect(await states.next() == .playing)
    }
  }

  @Test("positions come while it plays, and none while it does not")
  func positions() async throws {
    try await Stage.run { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one")])
      var positions = player.positionUpdates(every: .milliseconds(20)).makeAsyncIterator()
      #expect(await positions.next() == .zero)
      try await player.play()
      var (last, count) = (Duration.zero, 0)
      while last < .milliseconds(200) {
        last = try #require(await positions.next())
        count += 1
      }
      #expect(count > 2)
    }
  }

  /// `FERMATA_ROUNDS` times as many lives and deaths as a usual run has.
  private static let rounds =
    unsafe getenv("FERMATA_ROUNDS").flatMap { unsafe Int(String(cString: $0)) } ?? 1

  @Test("clients that are killed in the middle leave nothing behind, neither in the agent nor on the bus")
  func killedClients() async throws {
    try await Stage.run { stage in
      try await stage.player.setQueue(with: [stage.tone("one")])
      func killSome(_ count: Int) throws {
        let followers = try (0..<count).map { _ in
          try stage.start("fermata", ["status", "--follow", "--json"])
        }
        for follower in followers {
          // The first line comes when it listens.
          _ = try follower.nextLine(until: .patient)
          follower.kill()
        }
      }
      try killSome(40)
      try await stage.wait(for: "the end of the rules") { try await stage.rulesOfClients() == 0 }
      let before = try stage.footprint()
      for _ in 0..<(5 * Self.rounds) { try killSome(20) }
      try await stage.wait(for: "the end of the rules") { try await stage.rulesOfClients() == 0 }
      let after = try stage.footprint()
      #expect(after.files == before.files)
      #expect(after.memory - before.memory < 300, "\(before.memory) to \(after.memory) KiB")
      #expect(try await stage.player.state == .stopped)
    }
  }

  @Test("when the agent is killed nothing is invented, and the next one is followed")
  func restarts() async throws {
    try await Stage.run { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one")])
      try await player.play()
      try await player.pause()
      var states = player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .paused)
      for _ in 0..<(5 * Self.rounds) {
        stage.kill()
        try await stage.restart()
        #expect(await states.next() == .paused)
      }
      try await player.play()
      #expect(await states.next() == .playing)
    }
  }

  @Test("a sequence ends with its task, and the bus keeps no rule for it")
  func endings() async throws {
    try await Stage.run { stage in
      let player = stage.player
      for _ in 0..<20 {
        await withTaskGroup { group in
          group.addTask { for await _ in player.statusUpdates {} }
          var states = player.stateUpdates.makeAsyncIterator()
          #expect(await states.next() != nil)
          group.cancelAll()
        }
      }
      let deadline = Deadline.patient
      while try await stage.rulesOfClients() > 0, !deadline.hasPassed {}
      #expect(try await stage.rulesOfClients() == 0)
    }
  }

  @Test("the example of the documentation plays a file to its end")
  func example() async throws {
    let root = String(#filePath.dropLast("Tests/FermataTests/MusicPlayerTests.swift".count))
    let text = try #require(TextFile.read(root + "Tests/ClientExample/main.swift"))
    let body = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(
      separator: "\n")
    #expect(try #require(TextFile.read(root + "docs/client.md")).contains(body))
    try await Stage.run { stage in
      try stage.write("short.flac", pitch: 300, ["TITLE": "Short"])
      let output = try stage.run("ClientExample", [stage.folder.path("Music/short.flac")])
      #expect(output.hasSuffix("stopped Short\n") && output.contains("playing Short\n"), "\(output)")
    }
  }

  @Test("without a bus every order says so, and sequences end")
  func noBus() async throws {
    let player = MusicPlayer(on: .address("unix:path=/nonexistent/bus"))
    let error = await #expect(throws: MusicError.self) { try await player.play() }
    #expect(error?.code == .unavailable)
    for await _ in player.stateUpdates { Issue.record("there is no state") }
  }
}
