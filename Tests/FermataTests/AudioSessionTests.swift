// SPDX-License-Identifier: MIT
import AudioModel
import Fermata
import FermataTestKit
import Testing

@Suite("The session of the player's sound, from another program", .serialized, .endsAnyway)
struct AudioSessionTests {
  private static let silence = AudioFormat(rate: 8_000, channels: 1)

  @Test("it is active while there is an output, says its category, and whether others are heard")
  func state() async throws {
    try await Stage.run { stage in
      let session = AudioSession(of: stage.player)
      try await session.activate()
      #expect(try await session.isActive)
      #expect(try await session.currentRoute?.sink == "speakers")
      #expect(try await session.category == .playback)
      // The session's player belongs to the user.
      let error = await #expect(throws: MusicError.self) { try await session.setCategory(.solo) }
      #expect(error?.remedy == "'fermata settings set category solo' does")
      for category in AudioSession.Category.allCases {
        try stage.fermata("settings", "set", "category", category.rawValue)
        #expect(try await session.category == category)
      }
      #expect(try await !session.isOtherAudioPlaying)
      let other = try stage.server.play([0, 0], Self.silence, on: "speakers")
      try await stage.wait(for: "the other program") { try await session.isOtherAudioPlaying }
      withExtendedLifetime(other) {}
    }
  }

  @Test("secondary sound should be silent while this player sounds, or another program")
  func secondary() async throws {
    try await Stage.run { stage in
      let session = AudioSession(of: stage.player)
      try await session.activate()
      #expect(try await !session.secondaryAudioShouldBeSilencedHint)
      try await stage.player.setQueue(with: [stage.tone("one")])
      try await stage.player.play()
      #expect(try await session.secondaryAudioShouldBeSilencedHint)
      try await stage.player.pause()
      #expect(try await !session.secondaryAudioShouldBeSilencedHint)
      let other = try stage.server.play([0, 0], Self.silence, on: "speakers")
      try await stage.wait(for: "the other program") {
        try await session.secondaryAudioShouldBeSilencedHint
      }
      withExtendedLifetime(other) {}
    }
  }

  @Test(
    "the route is told wherever the sound goes, also where the server puts it without any change of the outputs"
  )
  func routes() async throws {
    try await Stage.run { stage in
      let session = AudioSession(of: stage.player)
      try await session.activate()
      try stage.server.control.load("module-stream-restore", "")
      try stage.server.load(sink: "headphones")
      try await stage.player.setQueue(with: [stage.tone("one")])
      try await stage.player.play()
      var routes = session.currentRoutes.makeAsyncIterator()
      #expect(await routes.next()??.sink == "speakers")
      try stage.server.control.wait(for: "the music") { !$0.sinkInputs.isEmpty }
      let stream = try #require(try stage.server.control.world().sinkInputs.first?.index)
      try stage.server.control.move(stream, toSink: "headphones")
      #expect(await routes.next()??.sink == "headphones")
      // Without a stream it is the output to which a new one would go, as far as anybody knows.
      try await stage.player.stop()
      #expect(await routes.next()??.sink == "speakers")
      try await stage.player.play()
      #expect(await routes.next()??.sink == "headphones")
    }
  }
}
