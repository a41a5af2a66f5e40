// SPDX-License-Identifier: MIT
import FermataTestKit

/// Monkey's Audio, of which Debian has no encoder but one in Java, with a whole Java below it. So its files stand in `Samples`, made once by
/// jmac 1.74 (`jmac c1 fast.wav fast.ape`, to `c5` for the slowest level) from the signals below.
extension Corpus {
  static let monkeys: [Recipe] =
    levels.map { recipe("\($0.name).ape", part($0.frames)) } + [
      recipe("24-bit.ape", fine, as: .s24),
      // Five packets, of which the last has the sound.
      recipe("packets.ape", Signal(rate: 44_100, channels: 2, samples: silence + part(0..<2_000).samples)),
    ]

  /// The encoder's levels, each with its part of one sound.
  static let levels: [(name: String, frames: Range<Int>)] = [
    "fast", "normal", "high", "extra-high", "insane",
  ].enumerated().map { ($1, $0 * 700..<($0 + 1) * 700) }

  /// A stretch of the sound that the files of the five levels are parts of.
  static func part(_ frames: Range<Int>) -> Signal {
    let samples = frames.flatMap { [saw($0), (Double(saw($0 + 500)) / 2).rounded(.down)] }
    return Signal(rate: 44_100, channels: 2, samples: samples.map { Float($0) / 32_768 })
  }

  private static let silence = [Float](repeating: 0, count: 294_912 * 2)

  private static let fine = Signal(
    rate: 48_000, channels: 1, samples: (0..<700).map { Float(saw($0) * 256 + Double($0 % 256)) / 8_388_608 })

  /// Steps of 16 bits, whole numbers, so that any language computes the same.
  private static func saw(_ frame: Int) -> Double {
    Double((frame * 37) % 2_001 * 8 - 8_000 + frame * frame % 31)
  }

  private static func recipe(_ name: String, _ signal: Signal, as samples: WAVFile.Samples = .s16) -> Recipe {
    Recipe(
      name: name, signal: signal, samples: samples, encoder: ["cp", "\(Corpus.samples)/\(name)", "OUT"],
      reference: [],
      tolerance: 0)
  }

  /// The folder with files that no encoder of Debian makes.
  static let samples = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Samples"
}
