// SPDX-License-Identifier: MIT
import AudioModel
import Fermata
import FermataTestKit
import Testing

@Suite("The pads, from another program", .serialized, .endsAnyway)
struct SoundPadsTests {
  /// Writes a kit of one pad that would sound for some seconds, and returns its folder.
  private func writeKit(_ stage: Stage) throws -> String {
    let format = AudioFormat(rate: 8_000, channels: 1)
    let sample = try stage.folder.write(
      "kit/long.wav", WAVFile.bytes(Tone.sine(frames: 6 * 8_000, format), format))
    _ = try stage.folder.write(
      "kit/kit.conf",
      "name = Test\n[pad]\nname = Long\nsample = long.wav\ncolour = red\npolyphony = 2\nchoke = hats\n")
    return String(sample.dropLast("/long.wav".utf8.count))
  }

  @Test("a kit is loaded, a pad of it is heard when struck, and nothing is heard once all are stopped")
  func heard() async throws {
    try await Stage.run { stage in
      let pads = SoundPads(of: stage.player)
      let folder = try writeKit(stage)
      let kit = try await pads.load(kit: folder)
      #expect(kit.name == "Test" && kit.folder == folder && kit.isEnabled && kit.reason == nil)
      let pad = try #require(kit.pads.first)
      #expect(kit.pads.count == 1 && pad.id == 1 && pad.name == "Long" && pad.colour == "red")
      #expect(pad.polyphony == 2 && pad.chokeGroup == "hats" && pad.volume == 1)
      #expect(try await pads.kit == kit)

      let recorder = try stage.server.record("speakers")
      try await pads.prepare()
      try await pads.hit(pad.id)
      let start = try recorder.waitForSound()
      try await pads.stopAll()
      try recorder.waitForSilence(lasting: .milliseconds(200), from: start)
      // The pads leave the player's queue and its state alone.
      #expect(try await stage.player.state == .stopped)
      #expect(try await stage.player.entries().isEmpty)
    }
  }

  @Test("volumes of all pads and of one are set, remembered and told")
  func volumes() async throws {
    try await Stage.run { stage in
      let pads = SoundPads(of: stage.player)
      var changes = pads.kitUpdates.makeAsyncIterator()
      #expect(await changes.next()?.volume == 1)
      try await pads.setVolume(0.5)
      #expect(await changes.next()?.volume == 0.5)
      try await pads.setVolume(0.25, of: 2)
      #expect(await changes.next()?.pads[1].volume == 0.25)
      let kit = try await pads.kit
      #expect(kit.volume == 0.5 && kit.folder == nil)
      #expect(kit.pads.map(\.volume) == [1, 0.25, 1, 1])
    }
  }

  @Test("after a crash of the agent the kit is told once more, and then each change, as before")
  func crash() async throws {
    try await Stage.run { stage in
      let pads = SoundPads(of: stage.player)
      var kits = pads.kitUpdates.makeAsyncIterator()
      #expect(await kits.next()?.isEnabled == true)
      stage.kill()
      try await stage.restart()
      #expect(await kits.next()?.pads.count == 4)
      try stage.fermata("pads", "volume", "50%")
      while let kit = await kits.next(), kit.volume != 0.5 {}
      // A second reader hears what is so, although the first is told already.
      var others = pads.kitUpdates.makeAsyncIterator()
      #expect(await others.next()?.volume == 0.5)
    }
  }

  @Test("what cannot be done is refused with its reason, and the kit stays")
  func refusals() async throws {
    try await Stage.run { stage in
      let pads = SoundPads(of: stage.player)
      let kit = try await pads.load()
      #expect(kit.pads.count == 4)
      for number in [-1, 0, 5, .max] {
        let error = await #expect(throws: MusicError.self) { try await pads.hit(number) }
        #expect(error?.code == .noSuchItem)
      }
      let loud = await #expect(throws: MusicError.self) { try await pads.setVolume(1.5) }
      #expect(loud?.code == .invalidArgument)
      await #expect(throws: MusicError.self) { try await pads.setVolume(.nan, of: 1) }
      var error = await #expect(throws: MusicError.self) { try await pads.load(kit: "kits/808") }
      #expect(error?.code == .noSuchFile)
      error = await #expect(throws: MusicError.self) { try await pads.load(kit: "/no/such/kit") }
      #expect(error?.code == .noSuchFile)
      _ = try stage.folder.write("broken/kit.conf", Array("[pad]\nvolume = loud\n".utf8))
      error = await #expect(throws: MusicError.self) {
        try await pads.load(kit: stage.folder.path("broken"))
      }
      #expect(error?.code == .badSettings)
      #expect(try await pads.kit == kit)
    }
  }
}
