// SPDX-License-Identifier: MIT
import BusIO
import Fermata
import FermataTestKit
import Glibc
import Testing

@Suite("The player of the session, from another program", .serialized, .endsAnyway)
struct MusicPlayerTests {
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
      for _ in 0..<(5 * Rounds.count) { try killSome(20) }
      try await stage.wait(for: "the end of the rules") { try await stage.rulesOfClients() == 0 }
      let after = try stage.footprint()
      // Fewer is as good: something of the agent's own may have been open before.
      #expect(after.files <= before.files)
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
      for _ in 0..<(5 * Rounds.count) {
        stage.kill()
        try await stage.restart()
        #expect(await states.next() == .paused)
      }
      try await player.play()
      #expect(await states.next() == .playing)
    }
  }

  @Test("whether there is a player is told, and why there is none")
  func availability() async throws {
    try await Stage.run { stage in
      let player = stage.player
      var told = player.availabilityUpdates.makeAsyncIterator()
      #expect(await told.next() == .available)
      stage.kill()
      guard case .unavailable(let error)? = await told.next() else {
        Issue.record("nobody says that the agent is gone")
        return
      }
      #expect(error.description == "player: it has ended")
      // One that begins now learns why no player can be had. No service file of this bus starts one.
      var late = player.availabilityUpdates.makeAsyncIterator()
      #expect(await late.next() != .available)
      try await stage.restart()
      #expect(await told.next() == .available)
      #expect(await late.next() == .available)
    }
    var none = MusicPlayer(on: .address("unix:path=/nonexistent/bus")).availabilityUpdates.makeAsyncIterator()
    guard case .unavailable(let error)? = await none.next() else {
      Issue.record("there is a bus")
      return
    }
    #expect(error.code == .unavailable)
    #expect(await none.next() == nil)
  }

  @Test("a call that is cancelled while its connection opens returns at once")
  func cancelledOpening() async throws {
    // A bus that takes connections and never says a word.
    let bus = try LyingBus()
    let player = MusicPlayer(on: .address(bus.address))
    await withThrowingTaskGroup { group in
      group.addTask { try await player.play() }
      // Beside many other tests the call may take its time to begin.
      #expect(throws: Never.self) { try bus.untilCalled() }
      let cancelled = ContinuousClock.now
      group.cancelAll()
      await #expect(throws: MusicError.self) { try await group.next() }
      #expect(ContinuousClock.now - cancelled < .seconds(3))
    }
  }

  @Test("what plays next is told in its order, and an undo says what it did")
  func upcoming() async throws {
    try await Stage.run { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("a"), stage.tone("b"), stage.tone("c")])
      try await player.play()
      #expect(try await player.upcomingEntries().map(\.item.title) == ["b", "c"])
      #expect(try await player.upcomingEntries(count: 1).map(\.item.title) == ["b"])
      let change = try await player.undo()
      #expect(change.added == 3 && change.removed == 0 && change.moved == 0, "\(change)")
      #expect(try await player.entries().isEmpty)
      #expect(try await player.redo().added == 3)
      // What a program does about it depends on which it is.
      let first = try #require(try await player.entries().first?.id)
      try await player.remove([first])
      for order in [{ try await player.play(first) }, { try await player.move(first, to: 1) }]
        as [() async throws -> Void]
      {
        let error = await #expect(throws: MusicError.self) { try await order() }
        #expect(error?.code == .noSuchItem)
      }
      try await player.undo()
      for size in [0, -1] {
        let row = try #require(try await player.entries().first)
        let error = await #expect(throws: MusicError.self) {
          try await player.artworkURL(of: row.id, size: size)
        }
        #expect(error?.subject == "size \(size)" && error?.code == .invalidArgument)
      }
    }
  }

  @Test("a sequence that begins while no agent can be had follows the next one")
  func begunWithout() async throws {
    try await Stage.run { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one")])
      stage.kill()
      async let first = player.stateUpdates.first { _ in true }
      // What is ordered behind the question of the sequence is refused behind it.
      for _ in 0..<3 { await #expect(throws: MusicError.self) { try await player.play() } }
      try await stage.restart()
      #expect(await first != nil)
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
      #expect(output.contains("\nstopped ") && output.contains("playing Short\n"), "\(output)")
      // One that cannot be played at the end of the queue does not keep it from ending.
      _ = try stage.folder.write("Music/broken.flac", "this is no sound")
      let other = try stage.run(
        "ClientExample", ["short.flac", "broken.flac"].map { stage.folder.path("Music/\($0)") })
      #expect(other.contains("\nstopped "), "\(other)")
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
