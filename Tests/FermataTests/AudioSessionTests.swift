// SPDX-License-Identifier: MIT
import AudioModel
import Fermata
import FermataTestKit
import Testing

@Suite("The session of the player's sound, from another program", .serialized, .timeLimit(.minutes(5)))
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

  @Test("a call is told as it begins and ends, and the music goes on")
  func call() async throws {
    try await Stage.run { stage in
      let session = AudioSession(of: stage.player)
      try await stage.player.setQueue(with: [stage.tone("one")])
      var states = stage.player.stateUpdates.makeAsyncIterator()
      #expect(await states.next() == .stopped)
      var calls = session.interruptions.makeAsyncIterator()
      try await stage.player.play()
      #expect(await states.next() == .playing)
      do {
        let phone = try stage.server.play(
          [0, 0], Self.silence, on: "speakers", properties: ["media.role": "phone"])
        #expect(await calls.next() == .began(source: "call", wasPlaying: true))
        withExtendedLifetime(phone) {}
      }
      #expect(await calls.next() == .ended(source: "call", shouldResume: true))
      try await stage.wait(for: "the music") { try await stage.player.state == .playing }
    }
  }

  @Test("without a sound server it can't be activated, and says why")
  func serverGone() async throws {
    try await Stage.run { stage in
      let session = AudioSession(of: stage.player)
      try await session.activate()
      var activity = session.activity.makeAsyncIterator()
      #expect(await activity.next() == true)
      stage.server.crash()
      #expect(await activity.next() == false)
      let error = await #expect(throws: MusicError.self) { try await session.activate() }
      #expect(error?.subject == "audio session")
      #expect(error?.description.contains("fermata doctor") == true)
    }
  }
}
