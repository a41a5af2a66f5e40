// SPDX-License-Identifier: MIT
import AudioModel
import Fermata
import FermataTestKit
import Testing

@Suite("Every player, the session's and that of the program alike", .serialized, .endsAnyway)
struct EveryPlayerTests {
  @Test(
    "a queue is set, played, skipped, paused and sought, and each state is told",
    arguments: Stage.Kind.allCases)
  func transport(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let player = stage.player
      var states = player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .stopped)
      let added = try await player.setQueue(with: [stage.tone("one"), stage.tone("two")])
      #expect(added.count == 2 && added.leftOut.isEmpty)
      #expect(try await player.entries().map(\.id) == added.entries)
      #expect(try await player.state == .stopped)
      #expect(try await player.play() == nil)
      #expect(await states.next() == .playing)
      #expect(try await player.nowPlaying?.item.title == "one")
      var statuses = player.statusUpdates.makeAsyncIterator()
      var coding: AudioCoding?
      while coding == nil { coding = try #require(await statuses.next()).coding }
      #expect(coding?.codec == "WAV" && coding?.sampleRate == 8_000 && coding?.channels == 1)
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

  @Test(
    "rows are inserted, moved, removed and played by their identity, and edits are undone",
    arguments: Stage.Kind.allCases)
  func queue(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one"), stage.tone("two")])
      try await player.play()
      let three = try await player.append([stage.tone("three")]).entries
      try await player.insert([stage.tone("zero")], at: 0)
      try await player.insertNext([stage.tone("next")])
      func titles() async throws -> [String] { try await player.entries().map(\.item.title) }
      try await player.insert([stage.tone("last")], at: .max)
      #expect(try await titles().last == "last")
      try await player.undo()
      #expect(try await titles() == ["zero", "one", "next", "two", "three"])
      let entries = try await player.entries()
      #expect(three == [entries[4].id])
      // The program's player has no folder for pictures here.
      if kind == .system {
        #expect(try await player.artworkURL(of: entries[0].id, size: 32).hasPrefix("file:///"))
      }
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
      #expect(try await player.sort(by: [.descending(.title)]) == 0)
      #expect(try await titles() == ["two", "three", "one"])
      let rows = try await player.entries().map(\.id)
      try await player.sort([rows[0], rows[2]], by: [.ascending(.title)])
      #expect(try await titles() == ["one", "three", "two"])
      #expect(try await player.nowPlaying?.id == entries[3].id)
      try await player.undo()
      #expect(try await titles() == ["two", "three", "one"])
      await #expect(throws: MusicError.self) { try await player.sort(by: [.ascending(.comments)]) }
      try await player.removeAll()
      #expect(try await player.entries().isEmpty)
    }
  }

  @Test("volume and modes are set, read back and told, whoever sets them", arguments: Stage.Kind.allCases)
  func volumeAndModes(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let player = stage.player
      var volumes = player.volumeUpdates.makeAsyncIterator()
      #expect(await volumes.next() == 1)
      try await player.setVolume(0.25)
      #expect(await volumes.next() == 0.25)
      try await stage.untilShown()
      try stage.playerctl("volume", "0.5")
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

  @Test(
    "it stops after the current track, or pauses after a time, if that was ordered",
    arguments: Stage.Kind.allCases)
  func endsByItself(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let player = stage.player
      await #expect(throws: MusicError.self) { try await player.stopAfterCurrentItem() }
      try await player.setQueue(with: [stage.tone("one"), stage.tone("two")])
      try await player.play()
      var states = player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .playing)
      try await player.stopAfterCurrentItem()
      let length = try #require(try await player.nowPlaying?.item.playbackDuration)
      try await player.seek(to: length - .milliseconds(200))
      #expect(await states.next() == .stopped)
      #expect(try await player.sleepTimer == nil)
      await #expect(throws: MusicError.self) { try await player.setSleepTimer(.zero) }
      try await player.play()
      #expect(await states.next() == .playing)
      try await player.setSleepTimer(.seconds(600))
      #expect(try await player.sleepTimer.map { $0 > .seconds(500) && $0 <= .seconds(600) } == true)
      try await player.setSleepTimer(nil)
      #expect(try await player.sleepTimer == nil)
      try await player.setSleepTimer(.milliseconds(300))
      #expect(await states.next() == .paused)
      #expect(try await player.status.reason == "sleep-timer")
    }
  }

  @Test("the sound goes to the output that is chosen", arguments: Stage.Kind.allCases)
  func chosenRoute(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let session = AudioSession(of: stage.player)
      try stage.server.load(sink: "phones")
      try await stage.wait(for: "the output") { try await session.availableRoutes.count == 2 }
      try await stage.player.setQueue(with: [stage.tone("one")])
      try await stage.player.play()
      let current = try #require(try await session.currentRoute)
      let other = try #require(try await session.availableRoutes.first { $0.sink != current.sink })
      try await session.setRoute(other)
      #expect(try await session.currentRoute?.sink == other.sink)
      #expect(other.sink == "phones")
      try stage.server.unload(sink: "phones")
      try await stage.wait(for: "one output") { try await session.availableRoutes.count == 1 }
      let gone = await #expect(throws: MusicError.self) { try await session.setRoute(other) }
      #expect(gone?.code == .noSuchItem, "\(String(describing: gone))")
    }
  }

  @Test("a held seek goes on while it is held, and ends when it is let go", arguments: Stage.Kind.allCases)
  func heldSeek(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one")])
      try await player.play()
      var states = player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .playing)
      try await player.beginSeeking(.forward)
      #expect(await states.next() == .seekingForward)
      try await player.endSeeking()
      #expect(await states.next() == .playing)
      // Whoever holds the button may be called off, and lets go all the same.
      try await withThrowingTaskGroup { group in
        group.addTask {
          try await player.beginSeeking(.backward)
          for await _ in player.stateUpdates {}
          try await player.endSeeking()
        }
        #expect(await states.next() == .seekingBackward)
        group.cancelAll()
        try await group.waitForAll()
        #expect(await states.next() == .playing)
      }
    }
  }

  @Test("positions come while it plays, and none while it does not", arguments: Stage.Kind.allCases)
  func positions(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let player = stage.player
      try await player.setQueue(with: [stage.tone("one")])
      var positions = player.positionUpdates(every: .milliseconds(20)).makeAsyncIterator()
      #expect(await positions.next() == .zero)
      try await player.play()
      // A reader that is late misses some, and then they still come.
      var (last, count) = (Duration.zero, 0)
      while last < .milliseconds(200) || count < 3 {
        let next = try #require(await positions.next())
        #expect(next >= last)
        last = next
        count += 1
      }
    }
  }

  @Test(
    "a call interrupts the music and silences the pads; afterwards the music goes on, and the pads do not",
    arguments: Stage.Kind.allCases)
  func call(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let (session, pads) = (AudioSession(of: stage.player), SoundPads(of: stage.player))
      try await session.activate()
      #expect(try await session.currentRoute?.sink == "speakers")
      try await stage.player.setQueue(with: [stage.tone("one")])
      var states = stage.player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .stopped)
      var calls = session.interruptions.makeAsyncIterator()
      try await stage.player.play()
      #expect(await states.next() == .playing)
      let kit = try await pads.prepare()
      #expect(kit.isEnabled && kit.pads.count == 4)
      try await pads.hit(1)
      do {
        let phone = try stage.server.play(
          [0, 0], AudioFormat(rate: 8_000, channels: 1), on: "speakers", properties: ["media.role": "phone"])
        #expect(await calls.next() == .began(source: "call", wasPlaying: true))
        try await stage.wait(for: "the pads to be disabled") { try await !pads.kit.isEnabled }
        await #expect(throws: MusicError.self) { try await pads.hit(1) }
        withExtendedLifetime(phone) {}
      }
      #expect(await calls.next() == .ended(source: "call", shouldResume: true))
      do {
        let phone = try stage.server.play(
          [0, 0], AudioFormat(rate: 8_000, channels: 1), on: "speakers", properties: ["media.role": "phone"])
        #expect(await calls.next() == .began(source: "call", wasPlaying: true))
        try await stage.player.play()
        #expect(await calls.next() == .overruled(source: "call"))
        withExtendedLifetime(phone) {}
      }
      try await stage.wait(for: "the music") { try await stage.player.state == .playing }
      try await stage.wait(for: "the pads to be enabled") { try await pads.kit.isEnabled }
      try await pads.hit(1)
    }
  }

  @Test("without a sound server nothing plays, and every reason is told", arguments: Stage.Kind.allCases)
  func serverGone(_ kind: Stage.Kind) async throws {
    try await Stage.run(kind) { stage in
      let (session, pads) = (AudioSession(of: stage.player), SoundPads(of: stage.player))
      try await session.activate()
      var activity = session.activity.makeAsyncIterator()
      #expect(await activity.next() == true)
      try await stage.player.setQueue(with: [stage.tone("one")])
      stage.server.crash()
      #expect(await activity.next() == false)
      let error = await #expect(throws: MusicError.self) { try await session.activate() }
      #expect(error?.subject == "audio session")
      let refusal = await #expect(throws: MusicError.self) { try await pads.hit(1) }
      #expect(refusal?.reason.contains("no sound server") == true, "\(String(describing: refusal))")
      let waits = try await stage.player.play()
      #expect(waits == "server")
    }
  }
}
