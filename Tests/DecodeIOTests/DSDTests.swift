// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Glibc
import Testing

/// DSD, of which no encoder is at hand: the files are made here, of one bit a sample and 2.8 million samples a second or a multiple of that.
@Suite("DSD", .serialized, .enabled(if: Outside.client != nil), .endsAnyway)
struct DSDTests {
  private static let rate = 2_822_400
  private static let channels = 2
  /// How many bytes of a channel stand together in DSF.
  private static let block = 4_096

  @Test("in DSF and in DSDIFF plays as FFmpeg's program plays it, to the frame, wherever it is sought")
  func plays() throws {
    let directory = try TemporaryDirectory()
    // Not a whole number of blocks, so that the end of DSF is padded.
    let bits = (0..<Self.channels).map { Self.modulated(bytes: 40_000, step: 0.0009 * Double($0 + 1)) }
    var decoded: [Signal] = []
    for (name, file) in [("a.dsf", Self.dsf(bits)), ("a.dff", Self.dsdiff(bits))] {
      let (path, reference) = (try directory.write(name, file), directory.path("\(name).wav"))
      try Tool.run(Corpus.ffmpeg + ["-i", path, "-c:a", "pcm_f32le", reference])
      let decoder = try Decoders.open(path: path)
      // FFmpeg's own idea of the length has the padding of DSF in it, so it is not believed before it is measured.
      #expect(try decoder.measure() == 40_000 && decoder.format.rate == 352_800)
      let whole = try decoder.rest()
      let expected = WAVFile.signal(try contents(of: reference)).samples
      #expect(whole.samples == Array(expected.prefix(whole.samples.count)), "\(name)")
      #expect(whole.frames == 40_000 && whole.samples.contains { $0 > 0.3 })
      for target in [1, 4_095, 4_096, 20_011, 39_999, 0] {
        try decoder.seek(to: target)
        let got = try decoder.frames(300)
        let difference = difference(got, whole[target..<min(40_000, target + 300)].samples)
        #expect(difference < 1e-6, "\(name) to \(target)")
      }
      decoded.append(whole)
    }
    // FFmpeg's filter begins with other bits where the lowest comes first: eleven frames go by until that is forgotten.
    #expect(decoded[0][11..<40_000] == decoded[1][11..<40_000], "it is the same sound in both")
  }

  @Test(
    "with more samples a second than can be played is the mean of what FFmpeg's program plays",
    arguments: [2, 4, 8])
  func finer(times: Int) throws {
    let directory = try TemporaryDirectory()
    let bits = (0..<Self.channels).map { Self.modulated(bytes: 40_000, step: 0.0009 * Double($0 + 1)) }
    let frames = 40_000 / times
    for (name, file) in [("a.dsf", Self.dsf(bits, finer: times)), ("a.dff", Self.dsdiff(bits, finer: times))]
    {
      let (path, reference) = (try directory.write(name, file), directory.path("\(name).wav"))
      try Tool.run(Corpus.ffmpeg + ["-i", path, "-c:a", "pcm_f32le", reference])
      let decoder = try Decoders.open(path: path)
      #expect(try decoder.measure() == frames && decoder.format.rate == 352_800)
      let whole = try decoder.rest()
      let fine = WAVFile.signal(try contents(of: reference)).samples
      let expected = (0..<frames * 2).map { index in
        (0..<times).reduce(Float(0)) { $0 + fine[(index / 2 * times + $1) * 2 + index % 2] } / Float(times)
      }
      #expect(whole.samples == expected, "\(name)")
      for target in [1, 4_095, frames / 2 + 1, frames - 1, 0] {
        try decoder.seek(to: target)
        let got = try decoder.frames(300)
        let difference = difference(got, whole[target..<min(frames, target + 300)].samples)
        #expect(difference < 1e-6, "\(name) to \(target)")
      }
    }
  }

  @Test("is sought also where much more of the file comes before the place than one order may read otherwise")
  func farPlace() throws {
    // A file that is almost all hole: of each channel 320 MB of zeros, which sound as the lowest value there is, and then ones, the highest.
    let (zeros, ones) = (80_000 * Self.block, 40 * Self.block)
    let directory = try TemporaryDirectory()
    let path = try directory.write("long.dsf", Self.dsfHead(bytes: zeros + ones))
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let last = [UInt8](repeating: 0xFF, count: ones * Self.channels)
    #expect(unsafe pwrite(file, last, last.count, 92 + zeros * Self.channels) == last.count)
    let decoder = try Decoders.open(path: path)
    for (place, value) in [(zeros - 2_000, -1), (zeros + 2_000, 1), (10, -1)] as [(Int, Float)] {
      try decoder.seek(to: place)
      #expect(try decoder.frames(300).allSatisfy { abs($0 - value) < 0.2 }, "at \(place)")
    }
  }

  /// A sine as bits whose mean follows it, eight in a byte, the first one highest.
  private static func modulated(bytes: Int, step: Double) -> [UInt8] {
    var (error, place) = (0.0, 0)
    return (0..<bytes).map { _ in
      (0..<8).reduce(UInt8(0)) { byte, _ in
        error += 0.5 * sine(step * Double(place))
        place += 1
        let isOn = error > 0
        error -= isOn ? 1 : -1
        return byte << 1 | (isOn ? 1 : 0)
      }
    }
  }

  private static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func dsf(_ bits: [[UInt8]], finer: Int = 1) -> [UInt8] {
    let bytes = bits[0].count
    // Here the first bit of a byte is its lowest.
    let turned = bits.map { $0.map { byte in (0..<8).reduce(UInt8(0)) { $0 << 1 | byte >> UInt8($1) & 1 } } }
    var data: [UInt8] = []
    for start in stride(from: 0, to: bytes, by: block) {
      for channel in turned {
        let piece = channel[start..<min(bytes, start + block)]
        data += piece + [UInt8](repeating: 0, count: block - piece.count)
      }
    }
    return dsfHead(bytes: bytes, finer: finer) + data
  }

  /// What stands before the sound in a DSF file that has this many bytes of each channel. The sound fills up its last block.
  private static func dsfHead(bytes: Int, finer: Int = 1) -> [UInt8] {
    let size = (bytes + block - 1) / block * block * channels
    let format = [1, 0, 2, channels, rate * finer, 1].flatMap { number($0, bytes: 4) }
    let parts: [[UInt8]] = [
      Array("DSD ".utf8), number(28, bytes: 8), number(28 + 52 + 12 + size, bytes: 8), number(0, bytes: 8),
      Array("fmt ".utf8), number(52, bytes: 8), format, number(bytes * 8, bytes: 8), number(block, bytes: 4),
      number(0, bytes: 4), Array("data".utf8), number(12 + size, bytes: 8),
    ]
    return Array(parts.joined())
  }

  private static func dsdiff(_ bits: [[UInt8]], finer: Int = 1) -> [UInt8] {
    func box(_ name: String, _ parts: [UInt8]...) -> [UInt8] {
      let content = Array(parts.joined())
      let head: [UInt8] = Array(name.utf8) + number(content.count, bytes: 8).reversed()
      return head + content + [UInt8](repeating: 0, count: content.count % 2)
    }
    let properties: [[UInt8]] = [
      Array("SND ".utf8), box("FS  ", number(rate * finer, bytes: 4).reversed()),
      box("CHNL", [0, UInt8(channels)], Array("SLFTSRGT".utf8)),
      box("CMPR", Array("DSD ".utf8), [14], Array("not compressed".utf8), [0]),
    ]
    let data = bits[0].indices.flatMap { index in bits.map { $0[index] } }
    return box(
      "FRM8", Array("DSD ".utf8), box("FVER", [1, 5, 0, 0]), box("PROP", Array(properties.joined())),
      box("DSD ", data))
  }
}
