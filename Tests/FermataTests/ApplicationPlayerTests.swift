// SPDX-License-Identifier: MIT
import AudioModel
import Fermata
import FermataTestKit
import Testing

@Suite("The player inside a program", .serialized, .endsAnyway)
struct ApplicationPlayerTests {
  @Test("beside the session's player it has a queue and a state of its own, and a name of the program's")
  func beside() async throws {
    try await Stage.run(.system) { stage in
      let own = stage.applicationPlayer()
      try await stage.player.setQueue(with: [stage.tone("one"), stage.tone("two")])
      try await stage.player.play()
      try await own.setQueue(with: [stage.tone("three")])
      try await own.play()
      try await own.pause()
      #expect(try await stage.player.state == .playing)
      #expect(try await stage.player.entries().map(\.item.title) == ["one", "two"])
      #expect(try await own.entries().map(\.item.title) == ["three"])
      try await stage.wait(for: "both names") {
        let names = try stage.playerctlOutput("-l").split(separator: "\n")
        return names.contains("fermata") && names.contains { $0.hasPrefix("drum_dub.instance") }
      }
      // Nobody who controls the player ends the program.
      #expect(try await !stage.canQuitProgram())
    }
  }

  @Test("items of the session's library are queued by their identities")
  func library() async throws {
    try await Stage.run(.system) { stage in
      try stage.write("one.flac", pitch: 300, ["TITLE": "One"])
      try stage.write("two.flac", pitch: 400, ["TITLE": "Two"])
      try stage.fermata("library", "add", "--wait", stage.folder.path("Music"))
      let songs = try await MediaQuery.songs(in: MediaLibrary(of: stage.player)).items
      let ids = songs.compactMap(\.persistentID)
      let own = stage.applicationPlayer()
      try await own.setQueue(with: [ids[1], ids[0], ids[1]].map { .item($0) })
      #expect(try await own.entries().map(\.item.title) == ["Two", "One", "Two"])
      let error = await #expect(throws: MusicError.self) {
        try await own.append([.item(MediaItem.PersistentID(rawValue: 4_711))])
      }
      #expect(error?.code == .noSuchItem, "\(String(describing: error))")
    }
  }

  @Test("the program chooses the category: an ambient player goes on beside a call, a solo one pauses others")
  func category() async throws {
    try await Stage.run(.system) { stage in
      let own = stage.applicationPlayer()
      let session = AudioSession(of: own)
      try await stage.player.setQueue(with: [stage.tone("one")])
      try await own.setQueue(with: [stage.tone("two")])
      try await session.setCategory(.ambient)
      #expect(try await session.category == .ambient)
      try await own.play()
      do {
        let phone = try stage.server.play(
          [0, 0], AudioFormat(rate: 8_000, channels: 1), on: "speakers", properties: ["media.role": "phone"])
        try await stage.wait(for: "the call") { try await session.isOtherAudioPlaying }
        #expect(try await own.state == .playing)
        withExtendedLifetime(phone) {}
      }
      try await own.pause()
      try await stage.player.play()
      try await stage.wait(for: "the music") { try await stage.player.state == .playing }
      try await session.setCategory(.solo)
      try await own.play()
      try await stage.wait(for: "the pause") { try await stage.player.state == .paused }
      #expect(try await own.state == .playing)
    }
  }

  @Test("a player that nobody has any more falls silent")
  func released() async throws {
    try await Stage.run(.system) { stage in
      var own: MusicPlayer? = stage.applicationPlayer()
      try await own?.setQueue(with: [stage.tone("one")])
      try await own?.play()
      let session = AudioSession(of: stage.player)
      try await stage.wait(for: "the sound") { try await session.isOtherAudioPlaying }
      own = nil
      try await stage.wait(for: "the silence") { try await !session.isOtherAudioPlaying }
    }
  }
}
