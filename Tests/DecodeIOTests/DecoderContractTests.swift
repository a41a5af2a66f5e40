// SPDX-License-Identifier: MIT
import DecodeIO
import FermataTestKit
import Testing

/// What `Decoder` promises, run on every decoder and every kind of file.
@Suite("Every decoder")
struct DecoderContractTests {
  @Test("knows its exact length, and stays at its end", arguments: Corpus.recipes)
  func length(recipe: Corpus.Recipe) throws {
    let decoder = try Decoders.open(MemorySource(try Corpus.bytes(recipe)))
    let measured = try decoder.measure()
    #expect(decoder.position == 0)
    let frames = try decoder.rest().frames
    #expect(frames == measured)
    #expect(decoder.length == .exact(frames))
    #expect(decoder.position == frames)
    #expect(try decoder.frames(1).isEmpty)
  }

  @Test("measures only as long as somebody wants to know, and again later", arguments: Corpus.recipes)
  func measuringCalledOff(recipe: Corpus.Recipe) throws {
    let decoder = try Decoders.open(MemorySource(try Corpus.bytes(recipe), name: "song"))
    if decoder.length.exactFrames == nil {
      let error = #expect(throws: DecodeError.self) { _ = try decoder.measure { false } }
      #expect(error?.code == .unreadable)
      #expect(error?.description == "song: was not decoded to the end: that was called off")
    } else {
      let stated = try decoder.measure { false }
      #expect(decoder.length == .exact(stated))
    }
    let measured = try decoder.measure()
    try decoder.seek(to: 0)
    #expect(try decoder.rest().frames == measured)
  }

  @Test("delivers the same however much is asked for at once", arguments: Corpus.recipes)
  func chunks(recipe: Corpus.Recipe) throws {
    let bytes = try Corpus.bytes(recipe)
    let whole = try Decoders.open(MemorySource(bytes)).rest()
    for chunk in [97, 100_000] {
      let decoder = try Decoders.open(MemorySource(bytes))
      #expect(try decoder.frames(chunk: chunk) == whole.samples)
    }
    let trickle = MemorySource(bytes, mostAtOnce: 7)
    #expect(try Decoders.open(trickle).frames() == whole.samples)
  }

  @Test("comes to every frame also in a coding in which its library does not seek")
  func seekWithoutLibrary() throws {
    let directory = try TemporaryDirectory()
    let signal = Signal.noise(rate: 8_000, channels: 1, frames: 8_000, level: 0.2)
    let (input, output) = (try directory.write("in.wav", WAVFile.bytes(signal)), directory.path("gsm.wav"))
    try Tool.run(["sox", input, "-e", "gsm-full-rate", output])
    let decoder = try Decoders.open(path: output)
    let whole = try decoder.rest()
    for target in [4_000, 100, 7_999, 0, whole.frames, 1_234] {
      try decoder.seek(to: target)
      let expected = whole[min(target, whole.frames)..<min(whole.frames, target + 300)].samples
      #expect(try decoder.position == target && decoder.frames(300) == expected, "to \(target)")
    }
    let error = #expect(throws: DecodeError.self) { try decoder.seek(to: 5_000) { false } }
    #expect(error?.code == .unreadable)
  }

  @Test("seeks to exactly the frame that was asked for", arguments: Corpus.recipes)
  func seek(recipe: Corpus.Recipe) throws {
    let decoder = try Decoders.open(MemorySource(try Corpus.bytes(recipe)))
    let whole = try decoder.rest()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let targets = (0..<40).map { _ in Int.random(in: 0..<whole.frames, using: &generator) }
    for target in targets + [whole.frames - 1, 0, whole.frames, whole.frames + 1_000, 0] {
      try decoder.seek(to: target)
      let start = min(target, whole.frames)
      #expect(decoder.position == start)
      let expected = whole[start..<min(whole.frames, start + 300)].samples
      let got = try decoder.frames(300)
      #expect(
        difference(got, expected) <= recipe.seekTolerance, "to \(target) of \(whole.frames), seed \(seed)")
    }
  }

  @Test("passes on what its source throws, and can go on elsewhere", arguments: Corpus.recipes)
  func sourceFails(recipe: Corpus.Recipe) throws {
    let bytes = try Corpus.bytes(recipe)
    let error = #expect(throws: DecodeError.self) {
      let decoder = try Decoders.open(MemorySource(bytes, name: "song", failsFrom: bytes.count / 2))
      _ = try decoder.rest()
    }
    #expect(error?.code == .unreadable)
    #expect(error?.description.contains("song: at byte") == true)
  }
}
