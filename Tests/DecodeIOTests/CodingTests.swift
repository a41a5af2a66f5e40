// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@testable import DecodeIO

@Suite("How a file is coded, as its decoder tells it")
struct CodingTests {
  private static let texts = [
    "cbr-joint.mp3": "MP3 · 44.1 kHz · stereo · 320 kb/s",
    "cbr-stereo.mp3": "MP3 · 44.1 kHz · stereo · 128 kb/s",
    "mpeg2.mp3": "MP3 · 22.05 kHz · stereo · 64 kb/s", "low-reservoir.mp3": "MP3 · 44.1 kHz · mono",
    // Without a tag, for which the smallest frames have no room, only the rates of frames that were decoded are known.
    "untagged.mp3": "MP3 · 44.1 kHz · stereo", "44100-2.mp2": "MP2 · 44.1 kHz · stereo",
    "8000-1-u8.flac": "FLAC · 8 kHz · mono · 8 bit", "96000-2-s24.flac": "FLAC · 96 kHz · stereo · 24 bit",
    "48000-6-s16.flac": "FLAC · 48 kHz · 6 channels · 16 bit",
    "ogg-flac.oga": "FLAC · 44.1 kHz · stereo · 16 bit",
    "unknown-length.flac": "FLAC · 44.1 kHz · stereo · 16 bit",
    "48000-2-10.ogg": "Vorbis · 48 kHz · stereo", "48000-1-10.opus": "Opus · 48 kHz · mono",
  ]

  @Test("it is what the encoder was told to make", arguments: Corpus.recipes.filter { texts[$0.name] != nil })
  func known(recipe: Corpus.Recipe) throws {
    let decoder = try Decoders.open(MemorySource(try Corpus.bytes(recipe)))
    #expect(decoder.coding?.text == Self.texts[recipe.name])
  }

  private static let foreign = [
    "alac-24.m4a": "ALAC · 96 kHz · stereo", "aac-6.m4b": "AAC · 48 kHz · 6 channels",
    "aac-mono.m4a": "AAC · 22.05 kHz · mono", "plain.wv": "WavPack · 44.1 kHz · stereo",
    "plain.tta": "True Audio · 44.1 kHz · stereo", "flac.mka": "FLAC · 44.1 kHz · stereo",
    "pcm.mka": "PCM · 48 kHz · stereo", "opus.webm": "Opus · 48 kHz · mono",
    "wma.wma": "WMA · 44.1 kHz · stereo",
    "eac3.eac3": "E-AC-3 · 48 kHz · 6 channels",
  ]

  @Test(
    "of what FFmpeg decodes it is the coding inside, and not the container",
    arguments: Corpus.recipes.filter { foreign[$0.name] != nil })
  func outside(recipe: Corpus.Recipe) throws {
    let decoder = try Decoders.open(MemorySource(try Corpus.bytes(recipe)), outside: Outside.client)
    #expect(decoder.coding?.text == Self.foreign[recipe.name])
  }

  @Test("nothing above is misspelt") func all() {
    #expect(Set(Self.texts.keys).subtracting(Corpus.recipes.map(\.name)) == [])
  }

  /// The average of a file's bytes, of which headers and pages are a small part.
  @Test(
    "where the rate varies, the average is that of the file",
    arguments: Corpus.recipes.filter {
      ["vbr.mp3", "abr.mp3", "44100-2-60000.ogg", "48000-2-60000.opus"].contains($0.name)
    })
  func average(recipe: Corpus.Recipe) throws {
    let bytes = try Corpus.bytes(recipe)
    let decoder = try Decoders.open(MemorySource(bytes))
    let seconds = Double(try decoder.measure()) / Double(decoder.format.rate)
    let average = Double(bytes.count) * 8 / seconds
    let told = try #require(decoder.coding?.bitRate)
    #expect(
      Double(told) > average * 0.75 && Double(told) < average * 1.01,
      "\(told), where \(average) is the file's")
  }

  @Test("a picture in the tags of Opus is no part of its rate")
  func picture() throws {
    let recipe = try #require(Corpus.recipes.first { $0.name == "48000-2-60000.opus" })
    let plain = try Decoders.open(MemorySource(try Corpus.bytes(recipe)))
    var padded = recipe
    padded.encoder =
      recipe.encoder.map { $0 == "IN" ? "--comment" : $0 }.dropLast() + [
        "COMMENT=" + String(repeating: "x", count: 60_000), "IN", "OUT",
      ]
    let corpus = try Corpus()
    let path = try corpus.make(padded)
    let tagged = try withExtendedLifetime(corpus) { try Decoders.open(MemorySource(contents(of: path))) }
    let (first, second) = (try #require(plain.coding?.bitRate), try #require(tagged.coding?.bitRate))
    #expect(abs(first - second) <= 4_000, "\(first) and \(second)")
  }

  @Test("opening reads no more for it: a part of a segment has it, and samples made here have none")
  func parts() throws {
    let recipe = try #require(Corpus.recipes.first { $0.name == "96000-2-s24.flac" })
    let bytes = try Corpus.bytes(recipe)
    let source = try SoundSource(
      SoundRequest(play: 1) { () throws(DecodeError) in try Decoders.open(MemorySource(bytes)) })
    #expect(source.part(behind: 0).coding?.bits == 24)
    #expect(RestDecoder([0, 0], AudioFormat(rate: 44_100, channels: 2)).coding == nil)
  }
}
