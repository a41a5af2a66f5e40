// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Testing

/// Every channel comes out in its place: channel n of the input carries a level of its own.
@Suite("Channel layouts")
struct LayoutTests {
  private static func levels(channels: Int) -> Signal {
    let sines = Signal.sines(rate: 48_000, channels: channels, frames: 24_000, level: 1)
    let samples = sines.samples.enumerated().map { $0.element * Float($0.offset % channels + 1) * 0.1 }
    return Signal(rate: 48_000, channels: channels, samples: samples)
  }

  /// The loudest sample of each channel, in tenths; a low-pass filtered LFE channel may be silent, and counts
  /// as 0.
  private static func heard(_ signal: Signal) -> [Int] {
    (0..<signal.channels).map { channel in
      let samples = stride(
        from: channel + 4_800 * signal.channels, to: signal.samples.count, by: signal.channels)
      return Int((samples.reduce(0) { max($0, abs(signal.samples[$1])) } * 10).rounded())
    }
  }

  static let codecs: [(String, [String])] = [
    ("wav", []), ("flac", ["flac", "-s", "--channel-map=none", "-o", "OUT", "IN"]),
    ("ogg", ["oggenc", "-Q", "-q", "6", "-o", "OUT", "IN"]),
    ("opus", ["opusenc", "--quiet", "--bitrate", "512", "IN", "OUT"]),
    ("aiff", ["sox", "IN", "OUT"]), ("caf", ["sox", "IN", "OUT"]), ("au", ["sox", "IN", "OUT"]),
    ("w64", ["sox", "IN", "OUT"]),
  ]

  @Test("of one to eight channels are right in every format", arguments: codecs)
  func placement(kind: String, encoder: [String]) throws {
    for channels in 1...8 {
      let directory = try TemporaryDirectory()
      let input = try directory.write("in.wav", WAVFile.bytes(Self.levels(channels: channels)))
      let path = encoder.isEmpty ? input : directory.path("out.\(kind)")
      if !encoder.isEmpty { try Tool.run(encoder.map { $0 == "IN" ? input : $0 == "OUT" ? path : $0 }) }
      let decoder = try Decoders.open(path: path)
      let heard = Self.heard(try decoder.rest())
      let usual = ChannelLayout.usual(channels: channels).positions
      try #require(decoder.format.layout.count == channels)
      for (position, level) in zip(decoder.format.layout.positions, heard)
      where !(position == .lowFrequency && (kind == "ogg" || kind == "opus")) {
        #expect(
          usual.firstIndex(of: position).map { $0 + 1 } == level, "\(position) of \(channels) in \(kind)")
      }
    }
  }

  @Test("a single channel is for both ears, also where a WAV file states a place for it", arguments: [1, 4])
  func single(mask: UInt32) throws {
    let signal = Signal.sines(rate: 48_000, channels: 1, frames: 100)
    let decoder = try Decoders.open(MemorySource(WAVFile.bytes(signal, mask: mask)))
    #expect(decoder.format.layout.positions == [.mono])
  }

  @Test("stated by a WAV file count")
  func stated() throws {
    let signal = Signal.sines(rate: 48_000, channels: 4, frames: 100)
    // Front left and right, low frequency, back centre.
    let bytes = WAVFile.bytes(signal, mask: 0x10B)
    let decoder = try Decoders.open(MemorySource(bytes))
    #expect(decoder.format.layout.positions == [.frontLeft, .frontRight, .lowFrequency, .rearCenter])
  }

  @Test("stated by a FLAC file count", arguments: ["0x10B", "0x10b", "nonsense", "0x3"])
  func statedByFLAC(mask: String) throws {
    let directory = try TemporaryDirectory()
    let signal = Signal.sines(rate: 48_000, channels: 4, frames: 100)
    let (input, output) = (try directory.write("in.wav", WAVFile.bytes(signal)), directory.path("out.flac"))
    let tag = "--tag=WaveFormatExtensible_Channel_Mask=\(mask)"
    try Tool.run(["flac", "-s", "--channel-map=none", tag, "-o", output, input])
    let decoder = try Decoders.open(path: output)
    let stated: [ChannelPosition] = [.frontLeft, .frontRight, .lowFrequency, .rearCenter]
    let isValid = mask.lowercased() == "0x10b"
    #expect(
      decoder.format.layout.positions == (isValid ? stated : ChannelLayout.usual(channels: 4).positions))
  }

  @Test("of more channels than a sound may have are refused with the number")
  func tooMany() {
    let bytes = WAVFile.bytes(.sines(rate: 48_000, channels: 9, frames: 100))
    let error = #expect(throws: DecodeError.self) {
      _ = try Decoders.open(MemorySource(bytes, name: "nine.wav"))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description == "nine.wav: has 9 channels; 1 to 8 can be played")
  }
}
