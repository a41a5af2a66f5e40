// SPDX-License-Identifier: MIT
import DecodeIO

/// A short tune that is part of the program, for a user who wants to hear something and names no file.
package enum Tune {
  /// The location of a queue entry that stands for the tune.
  package static let location = "fermata:tune"

  private static let rate = 44_100
  /// Each note's pitch in half tones above a′, and its length in beats. The last note is held: a fermata.
  private static let notes: [(pitch: Int, beats: Double)] = [
    (-5, 1), (0, 1), (4, 1), (7, 1.5), (5, 0.5), (4, 1), (2, 1), (0, 1), (-1, 1), (0, 3),
  ]
  private static let beat = 0.4

  /// A decoder for the tune, made as a WAV file in memory.
  static func decoder() throws(DecodeError) -> any Decoder {
    try Decoders.open(MemorySource(name: "a tune", bytes: file()))
  }

  private static func samples() -> [Float] {
    notes.flatMap { note in
      let frames = Int(Double(rate) * beat * note.beats)
      let frequency = 440 * exp2(Double(note.pitch) / 12)
      return (0..<frames).map {
        Float(0.25 * tone(frequency, Double($0) / Double(rate), of: Double(frames) / Double(rate)))
      }
    }
  }

  /// A sound like that of a plucked string: a sine with two overtones that dies away, and ends without a click.
  private static func tone(_ frequency: Double, _ time: Double, of length: Double) -> Double {
    let phase = 2 * Double.pi * frequency * time
    let string = sine(phase) + 0.4 * sine(2 * phase) + 0.15 * sine(3 * phase)
    return string * min(1, time * 200) * min(1, (length - time) * 40) / (1 + 3 * time)
  }

  private static func file() -> [UInt8] {
    let data = samples().flatMap { sample -> [UInt8] in little(UInt16(bitPattern: Int16(sample * 32_767)), 2)
    }
    let format =
      little(1, 2) + little(1, 2) + little(rate, 4) + little(rate * 2, 4) + little(2, 2) + little(16, 2)
    return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + format
      + Array("data".utf8) + little(data.count, 4) + data
  }

  private static func little(_ value: some BinaryInteger, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  // The standard library has no sine, and one tune is not worth a dependency.
  private static func sine(_ phase: Double) -> Double {
    let x = phase.remainder(dividingBy: 2 * .pi)
    let square = x * x
    return x
      * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))))
  }

  private static func exp2(_ exponent: Double) -> Double {
    // Exponents are always twelfths here, so powers of the twelfth root of two are enough.
    let root = 1.059_463_094_359_295_3
    let steps = Int((exponent * 12).rounded())
    return (0..<abs(steps)).reduce(1) { power, _ in steps < 0 ? power / root : power * root }
  }
}

/// A file that exists only in memory, which a decoder can read.
private final class MemorySource: ByteSource {
  let name: String
  private let bytes: [UInt8]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  var size: Int { bytes.count }

  func read(_ count: Int, at offset: Int, into target: inout MutableRawSpan) throws(DecodeError) -> Int {
    let count = max(0, min(count, size - offset))
    for index in 0..<count {
      target.storeBytes(of: bytes[offset + index], toByteOffset: index, as: UInt8.self)
    }
    return count
  }
}
