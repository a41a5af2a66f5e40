// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Glibc
import MediaModel
import Testing

@testable import FermataAgent

@Suite("Every format through the whole engine", .serialized, .realTime, .endsAnyway)
struct FormatTests {
  enum Codec: CaseIterable {
    case wav, flac, vorbis, opus

    func write(_ samples: [Float], _ format: AudioFormat, in folder: TemporaryDirectory) throws -> String {
      switch self {
      case .wav: try ToneFile.wav("a.wav", samples, format, in: folder)
      case .flac: try ToneFile.flac("a.flac", samples, format, in: folder)
      case .vorbis: try ToneFile.vorbis("a.ogg", samples, format, flags: ["-q", "8"], in: folder)
      case .opus: try ToneFile.opus("a.opus", samples, format, flags: ["--bitrate", "448"], in: folder)
      }
    }
  }

  @Test(
    "each channel comes out where it belongs, whatever the order of file and output",
    arguments: Codec.allCases)
  func channels(codec: Codec) async throws {
    try await withPulse { pulse in
      for count in [1, 2, 4, 6, 8] {
        let format = AudioFormat(rate: 48_000, channels: count)
        let path = try codec.write(Self.tones(frames: 24_000, format), format, in: pulse.folder)
        // Backwards, so that an order that were only passed on would show.
        let positions = Array(format.layout.positions.reversed())
        let recording = try await Self.play(path, positions, rate: 48_000, on: pulse.server)
        let start = try #require(recording.firstSound(floor: 0.05))
        for (channel, position) in positions.enumerated() {
          let wave = Array(recording.channel(channel)[(start + 4_800)...].prefix(9_600))
          let loudest = Self.frequencies.max { Self.power($0.value, wave) < Self.power($1.value, wave) }
          #expect(loudest?.key == position, "channel \(channel) of \(count)")
        }
      }
    }
  }

  @Test(
    "every sample rate is played as it is, to the last sample",
    arguments: [Codec.wav, .flac], [8_000, 11_025, 44_100, 48_000, 96_000, 192_000])
  func rates(codec: Codec, rate: Int) async throws {
    try await exact(codec, AudioFormat(rate: rate, channels: 2))
  }

  @Test("more than a server's buffer holds is played all the same", arguments: [Codec.wav, .flac])
  func wide(codec: Codec) async throws { try await exact(codec, AudioFormat(rate: 192_000, channels: 8)) }

  @Test(
    "more than PipeWire holds is played without a break",
    arguments: [(96_000, 6), (192_000, 3)])
  func wideOnPipeWire(rate: Int, channels: Int) async throws {
    let format = AudioFormat(rate: rate, channels: channels)
    try await withPipeWire(sinks: ["speakers"]) { server in
      let recorder = try server.record("speakers")
      let bench = try await EngineBench.connected(to: server.serverAddress)
      await bench.play(.level(1, 0.25, frames: 4 * rate, format: format))
      await bench.wait(for: "ended 1")
      let start = try recorder.waitForSound()
      try recorder.waitForSilence(lasting: .milliseconds(500), from: start)
      let recording = recorder.recording
      let heard = try #require(recording.lastSound(floor: 0.01)) - start
      // A busy machine leaves out a cycle now and then.
      let noticeable = recorder.format.frames(in: .milliseconds(50))
      #expect(recording.gaps(ofAtLeast: noticeable, floor: 0.01) == [])
      #expect(heard > recorder.format.frames(in: .milliseconds(3_900)), "\(heard) frames")
      await bench.close()
    }
  }

  private func exact(_ codec: Codec, _ format: AudioFormat) async throws {
    try await withPulse { pulse in
      let samples = Self.noise(frames: format.rate / 2, format)
      let path = try codec.write(samples, format, in: pulse.folder)
      let recording = try await Self.play(path, format.layout.positions, rate: format.rate, on: pulse.server)
      let start = try #require(recording.firstSound()) * format.channels
      let isSame = Array(recording.samples[start...].prefix(samples.count)) == samples
      #expect(isSame)
      #expect(recording.frames - start / format.channels >= samples.count / format.channels)
      #expect(recording.lastSound() == start / format.channels + samples.count / format.channels - 1)
    }
  }

  // MARK: Sounds

  /// Below the rest the low frequencies, as a codec leaves nothing else in their channel.
  private static let frequencies: [ChannelPosition: Double] = [
    .mono: 500, .frontLeft: 400, .frontRight: 650, .frontCenter: 900, .lowFrequency: 60, .rearLeft: 1_150,
    .rearRight: 1_400, .sideLeft: 1_650, .sideRight: 1_900,
  ]

  private static func tones(frames: Int, _ format: AudioFormat) -> [Float] {
    let steps = format.layout.positions.map {
      2 * Double.pi * (frequencies[$0] ?? 0) / Double(format.rate)
    }
    return (0..<frames).flatMap { frame in steps.map { Float(0.4 * sin($0 * Double(frame + 1))) } }
  }

  /// How much of a frequency there is.
  private static func power(_ frequency: Double, _ wave: [Float]) -> Double {
    let step = 2 * Double.pi * frequency / 48_000
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in wave.enumerated() {
      real += Double(sample) * cos(step * Double(frame))
      imaginary += Double(sample) * sin(step * Double(frame))
    }
    return real * real + imaginary * imaginary
  }

  private static func noise(frames: Int, _ format: AudioFormat) -> [Float] {
    var chance = SeededGenerator(seed: UInt64(format.rate * format.channels))
    return (0..<frames * format.channels).map { _ in
      Float(Int(truncatingIfNeeded: chance.next() >> 51) | 1) / 32_768
    }
  }

  // MARK: Playing

  private static func play(
    _ path: String, _ positions: [ChannelPosition], rate: Int, on pulse: PrivatePulse
  ) async throws -> Recording {
    let name = "sink\(positions.count)"
    let map = positions.map(Self.name).joined(separator: ",")
    try pulse.control.load(
      "module-null-sink",
      "sink_name=\(name) format=float32le rate=\(rate) channels=\(positions.count) channel_map=\(map) norewinds=1"
    )
    try pulse.control.setDefaultSink(name)
    let recorder = try pulse.record(name)
    let bench = try await EngineBench.connected(to: pulse.serverAddress)
    await bench.play(
      SoundRequest(play: 1) { () throws(DecodeError) -> any Decoder in
        try Decoders.open(FilePath(stringLiteral: path))
      })
    await bench.wait(for: "ended 1")
    let start = try recorder.waitForSound()
    try recorder.waitForSilence(lasting: .milliseconds(50), from: start)
    await bench.close()
    return recorder.recording
  }

  /// The server's name of a position.
  private static func name(_ position: ChannelPosition) -> String {
    switch position {
    case .mono: "mono"
    case .frontLeft: "front-left"
    case .frontRight: "front-right"
    case .frontCenter: "front-center"
    case .lowFrequency: "lfe"
    case .rearLeft: "rear-left"
    case .rearRight: "rear-right"
    case .rearCenter: "rear-center"
    case .frontLeftOfCenter: "front-left-of-center"
    case .frontRightOfCenter: "front-right-of-center"
    case .sideLeft: "side-left"
    case .sideRight: "side-right"
    case .unplaced: "aux0"
    }
  }
}

/// Runs a body with a server and a folder of its own.
private func withPulse(
  _ body: ((server: PrivatePulse, folder: TemporaryDirectory)) async throws -> Void
) async throws {
  let folder = try TemporaryDirectory()
  try await FermataTestKit.withPulse { server in try await body((server, folder)) }
}
