// SPDX-License-Identifier: MIT
import FermataTestKit
import Synchronization
import Testing

/// The files that the tests decode, made by the real encoders, each with what a reference decoder makes of
/// it.
final class Corpus: Sendable {
  /// One file to be made: how, and what it is compared with.
  struct Recipe: Sendable, CustomTestStringConvertible {
    let name: String
    let signal: Signal
    let samples: WAVFile.Samples
    /// The encoder's command; `IN` and `OUT` stand for the files.
    var encoder: [String]
    /// The reference decoder's command; none where the samples that went in are what must come out.
    let reference: [String]
    /// How many steps of 16 bits the samples may be off.
    let tolerance: Float
    /// How far samples after a seek may be off from those without.
    var seekTolerance: Float = 0

    var testDescription: String { name }
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The path of a recipe's file, made anew.
  func make(_ recipe: Recipe) throws -> String {
    let input = try directory.write("in-\(recipe.name).wav", WAVFile.bytes(recipe.signal, as: recipe.samples))
    if recipe.encoder.isEmpty { return input }
    let output = directory.path(recipe.name)
    try Tool.run(recipe.encoder.map { $0 == "IN" ? input : $0 == "OUT" ? output : $0 })
    return output
  }

  /// The bytes of a recipe's file; encoded once for all tests that want them.
  static func bytes(_ recipe: Recipe) throws -> [UInt8] {
    if let made = made.withLock({ $0[recipe.name] }) { return made }
    // Named, since the directory goes with the corpus.
    let corpus = try Corpus()
    let bytes = try withExtendedLifetime(corpus) { try contents(of: corpus.make(recipe)) }
    made.withLock { $0[recipe.name] = bytes }
    return bytes
  }

  private static let made = Mutex<[String: [UInt8]]>([:])

  /// What the reference makes of the recipe's file.
  func reference(_ recipe: Recipe, of path: String) throws -> Signal {
    if recipe.reference.isEmpty {
      return WAVFile.signal(try contents(of: directory.path("in-\(recipe.name).wav")))
    }
    let output = directory.path("ref-\(recipe.name).wav")
    try Tool.run(recipe.reference.map { $0 == "IN" ? path : $0 == "OUT" ? output : $0 })
    return WAVFile.signal(try contents(of: output))
  }
}

extension Corpus {
  static let mpg123 = ["mpg123", "-q", "-w", "OUT", "IN"]
  static let opusdec = ["opusdec", "--quiet", "--no-dither", "--rate", "48000", "IN", "OUT"]

  /// Every recipe.
  static let recipes: [Recipe] = mp3 + mp2 + flac + vorbis + opus + plain + foreign

  private static let mp3: [Recipe] =
    [
      ("cbr-stereo", 44_100, 2, ["-b", "128", "-m", "s"]),
      ("cbr-joint", 44_100, 2, ["-b", "320", "-m", "j"]),
      ("vbr", 44_100, 2, ["-V0"]), ("vbr-mono", 48_000, 1, ["-V7"]), ("abr", 32_000, 2, ["--abr", "96"]),
      ("low-reservoir", 44_100, 1, ["-b", "32"]), ("untagged", 44_100, 2, ["-t", "-b", "96"]),
      ("mpeg2", 22_050, 2, ["-b", "64"]), ("mpeg2-low", 16_000, 1, ["-b", "16"]),
      ("mpeg25", 11_025, 2, ["-V5"]), ("mpeg25-least", 8_000, 1, ["-b", "8"]),
      ("checksummed", 44_100, 2, ["-p", "-b", "160"]), ("free", 44_100, 2, ["--freeformat", "-b", "200"]),
    ].map { name, rate, channels, options in
      Recipe(
        name: "\(name).mp3", signal: .noise(rate: rate, channels: channels, frames: 20_000), samples: .s16,
        encoder: ["lame", "--quiet"] + options + ["--resample", "\(Double(rate) / 1000)", "IN", "OUT"],
        reference: mpg123, tolerance: 1, seekTolerance: 1e-6)
    } + [
      Recipe(
        name: "one-frame.mp3", signal: .sines(rate: 44_100, channels: 2, frames: 10), samples: .s16,
        encoder: ["lame", "--quiet", "-t", "-b", "64", "IN", "OUT"], reference: mpg123, tolerance: 1,
        seekTolerance: 1e-6)
    ]

  private static let mp2: [Recipe] = [(44_100, 2), (48_000, 1)].map { rate, channels in
    Recipe(
      name: "\(rate)-\(channels).mp2", signal: .noise(rate: rate, channels: channels, frames: 20_000),
      samples: .s16,
      encoder: ["sox", "IN", "OUT"], reference: mpg123, tolerance: 1, seekTolerance: 1e-6)
  }

  private static let flac: [Recipe] =
    [
      (8_000, 1, WAVFile.Samples.u8), (44_100, 2, .s16), (48_000, 6, .s16), (96_000, 2, .s24),
      (192_000, 8, .s24),
      (44_100, 2, .s32),
    ].map { rate, channels, samples in
      Recipe(
        name: "\(rate)-\(channels)-\(samples).flac",
        signal: .noise(rate: rate, channels: channels, frames: 9_000), samples: samples,
        encoder: ["flac", "-s", "--channel-map=none", "-o", "OUT", "IN"],
        reference: ["flac", "-s", "-d", "--channel-map=none", "-o", "OUT", "IN"], tolerance: 0)
    } + [
      Recipe(
        name: "ogg-flac.oga", signal: .noise(rate: 44_100, channels: 2, frames: 9_000), samples: .s16,
        encoder: ["flac", "-s", "--ogg", "-o", "OUT", "IN"], reference: [], tolerance: 0),
      Recipe(
        name: "unknown-length.flac", signal: .noise(rate: 44_100, channels: 2, frames: 9_000), samples: .s16,
        encoder: ["sh", "-c", "flac -s -c - < $0 | cat > $1", "IN", "OUT"], reference: [], tolerance: 0),
      Recipe(
        name: "one-sample.flac", signal: .sines(rate: 44_100, channels: 1, frames: 1), samples: .s16,
        encoder: ["flac", "-s", "-o", "OUT", "IN"], reference: [], tolerance: 0),
    ]

  private static let vorbis: [Recipe] = [
    (8_000, 1, 20_000, "0"), (44_100, 2, 60_000, "6"), (44_100, 1, 200_000, "-1"), (192_000, 2, 30_000, "10"),
    (48_000, 2, 10, "3"),
  ].map { rate, channels, frames, quality in
    Recipe(
      name: "\(rate)-\(channels)-\(frames).ogg",
      signal: .noise(rate: rate, channels: channels, frames: frames),
      samples: .s16, encoder: ["oggenc", "-Q", "-q", quality, "-o", "OUT", "IN"],
      reference: ["oggdec", "-Q", "-o", "OUT", "IN"], tolerance: 1)
  }

  private static let opus: [Recipe] = [
    (48_000, 2, 60_000, ["--bitrate", "128"]), (44_100, 1, 40_000, ["--bitrate", "48"]),
    (8_000, 1, 20_000, ["--framesize", "60"]),
    (48_000, 2, 10_000, ["--framesize", "2.5"]), (48_000, 1, 10, []),
  ].map { rate, channels, frames, options in
    Recipe(
      name: "\(rate)-\(channels)-\(frames).opus",
      signal:  // Quiet: opusdec bends what comes near full scale.
        .noise(rate: rate, channels: channels, frames: frames, level: 0.1),
      samples: .s16, encoder: ["opusenc", "--quiet"] + options + ["IN", "OUT"], reference: opusdec,
      tolerance: 1,
      // The codec's own text promises no more than that a decoder converges after a seek.
      seekTolerance: 0.01)
  }

  /// What holds plain samples: these must come out as they went in.
  private static let plain: [Recipe] =
    [
      (8_000, 1, WAVFile.Samples.u8), (44_100, 2, .s16), (96_000, 2, .s24), (192_000, 8, .s32),
      (48_000, 6, .f32),
    ].map {
      Recipe(
        name: "\($0)-\($1)-\($2).wav", signal: .noise(rate: $0, channels: $1, frames: 5_000), samples: $2,
        encoder: [], reference: [], tolerance: 0)
    }
    + ["aiff", "aifc", "caf", "au", "w64"].map { kind in
      Recipe(
        name: "24-bit.\(kind)", signal: .noise(rate: 44_100, channels: 2, frames: 5_000), samples: .s24,
        encoder: ["sox", "-D", "IN", "-t", kind, "OUT"], reference: [], tolerance: 0)
    }
}
