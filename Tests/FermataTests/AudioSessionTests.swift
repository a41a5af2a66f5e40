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
}
