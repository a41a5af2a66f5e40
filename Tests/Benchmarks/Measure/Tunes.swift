// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

/// Sound files to measure with.
enum Tunes {
  static let format = AudioFormat(rate: 44_100, channels: 2)

  /// Sound that costs as much to decode as music does: a chirp in noise, which leaves no band empty.
  static func busy(seconds: Int) -> [Float] {
    var noise: UInt64 = 1
    let chirp = Tone.chirp(from: 100, to: 8000, frames: seconds * format.rate, format, amplitude: 0.5)
    return chirp.map { sample in
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return sample + Float(Int32(truncatingIfNeeded: noise >> 32)) / Float(Int32.max) * 0.1
    }
  }

  /// An MP3 of such sound.
  static func busyMP3(seconds: Int, in directory: TemporaryDirectory) throws -> String {
    try ToneFile.mp3("busy\(seconds).mp3", busy(seconds: seconds), format, flags: ["-V0"], in: directory)
  }

  /// A sine with the usual tags.
  static func tagged(_ name: String, in directory: TemporaryDirectory) throws -> String {
    let samples = Tone.sine(441, frames: 120 * format.rate, format, amplitude: 0.5)
    let tags = [
      "--tt", "A title", "--ta", "An artist", "--tl", "An album", "--ty", "1997", "--tn", "5/12", "--tg",
      "Rock",
    ]
    return try ToneFile.mp3(name, samples, format, flags: ["-V9"] + tags, in: directory)
  }

  /// A WAV of a sine that begins at its peak.
  static func sine(
    _ name: String, seconds: Int, amplitude: Double, in directory: TemporaryDirectory
  ) throws -> String {
    let samples = Tone.sine(441, frames: seconds * format.rate, format, amplitude: amplitude, offset: 25)
    return try ToneFile.wav(name, samples, format, in: directory)
  }

  /// The same as an MP3.
  static func sineMP3(
    _ name: String, seconds: Int, amplitude: Double, in directory: TemporaryDirectory
  ) throws -> String {
    let samples = Tone.sine(441, frames: seconds * format.rate, format, amplitude: amplitude, offset: 25)
    return try ToneFile.mp3(name, samples, format, flags: ["-V0"], in: directory)
  }
}
