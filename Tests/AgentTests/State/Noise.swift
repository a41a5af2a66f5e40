// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import MediaModel

/// A file of noise in whole numbers of 16 bit: no two places in any of them are alike, and none of its frames is silent, so
/// that a recording is compared sample for sample.
struct Noise {
  static let format = AudioFormat(rate: 44_100, channels: 2)
  let samples: [Float]
  let source: MediaSource

  init(_ name: String, seed: UInt64, frames: Int, in folder: TemporaryDirectory) throws {
    var chance = SeededGenerator(seed: seed)
    samples = (0..<frames * Self.format.channels).map { _ in
      let size = Float(Int.random(in: 1...8_000, using: &chance)) / 32_768
      return Bool.random(using: &chance) ? size : -size
    }
    let path = try ToneFile.wav(name, samples, Self.format, in: folder)
    source = try MediaSource("file://\(path)")
  }
}

extension Noise {
  /// A long silent file, made in no time.
  static func silence(_ name: String, seconds: Int, in folder: TemporaryDirectory) throws -> MediaSource {
    var bytes = WAVFile.bytes([], AudioFormat(rate: 8_000, channels: 1))
    let size = seconds * 16_000
    // The last field of the header is the length of the samples.
    for byte in 0..<4 { bytes[bytes.count - 4 + byte] = UInt8(size >> (8 * byte) & 255) }
    return try MediaSource("file://\(folder.write(name, bytes + [UInt8](repeating: 0, count: size)))")
  }
}

extension Recording {
  /// The first sample from the first sound on that is not as expected; nil where all are. What comes behind is anyone's.
  func firstDifference(from expected: [Float]) -> Int? {
    guard let start = firstSound() else { return 0 }
    let heard = samples[(start * format.channels)...]
    if heard.count < expected.count { return heard.count }
    return zip(heard, expected).enumerated().first { $1.0 != $1.1 }?.offset
  }
}
