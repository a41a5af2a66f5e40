// SPDX-License-Identifier: MIT
import DecodeIO
import FermataTestKit
import Testing

@Suite("Decoded samples")
struct ReferenceTests {
  @Test("equal those of the format's reference decoder", arguments: Corpus.recipes)
  func equalsReference(recipe: Corpus.Recipe) throws {
    let corpus = try Corpus()
    let path = try corpus.make(recipe)
    let decoder = try Decoders.open(path: path)
    let decoded = try decoder.rest()
    let reference = try corpus.reference(recipe, of: path)
    #expect(decoded.rate == reference.rate)
    #expect(decoded.channels == reference.channels)
    #expect(decoded.frames == reference.frames)
    let step: Float = 1 / 32_768
    // The reference clips what it writes in 16 bits.
    let clipped = recipe.tolerance == 0 ? decoded.samples : decoded.samples.map { min(1 - step, max(-1, $0)) }
    // Rounding to whole steps takes up half of one.
    let allowed = recipe.tolerance == 0 ? 0 : (recipe.tolerance + 0.5) * step
    #expect(difference(clipped, reference.samples) <= allowed)
  }

  @Test("of a WAV file that is too long for 32 bits are those of the 32-bit file")
  func rf64() throws {
    let signal = Signal.noise(rate: 44_100, channels: 2, frames: 500)
    let wav = WAVFile.bytes(signal)
    let open = [UInt8](repeating: 0xFF, count: 4)
    var sizes: [UInt8] = []
    for size in [wav.count + 28, wav.count - 44, 500] { sizes += WAVFile.little(UInt64(size)) }
    var bytes = Array("RF64".utf8) + open + Array("WAVE".utf8)
    bytes += WAVFile.chunk("ds64", sizes + [0, 0, 0, 0])
    bytes += Array(wav[12..<40]) + open
    bytes += wav[44...]
    #expect(try Decoders.open(MemorySource(bytes)).rest() == WAVFile.signal(wav))
  }

  @Test("of two Ogg Vorbis streams in one file follow each other, and can be sought across")
  func chained() throws {
    let recipe = try #require(Corpus.recipes.first { $0.name == "44100-2-60000.ogg" })
    let corpus = try Corpus()
    // The encoder draws the streams' numbers by the second; two that are the same would be one stream.
    let parts = try ["1", "2"].map { serial in
      var numbered = recipe
      numbered.encoder.insert(contentsOf: ["--serial", serial], at: 1)
      return try contents(of: try corpus.make(numbered))
    }
    let part = try Decoders.open(MemorySource(parts[0])).frames()
    let decoder = try Decoders.open(MemorySource(parts[0] + parts[1]))
    #expect(decoder.length == .exact(120_000))
    #expect(try decoder.frames() == part + part)
    try decoder.seek(to: 60_500)
    #expect(try decoder.frames(100) == Array(part[1_000..<1_200]))
  }
}
