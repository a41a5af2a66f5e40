// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import PictureIO
import PictureModel
import Testing

@Suite("Pictures made smaller")
struct ScalingTests {
  /// A picture of this kind, 48 pixels wide and 32 high: red on the left, blue on the right.
  private func picture(_ name: String) throws -> [UInt8] {
    guard let bytes = Samples.all[name] else { throw KitError("there is no sample \(name)") }
    return bytes
  }

  private func scaled(_ name: String, _ edge: Int) throws -> PNGReader {
    try PNGReader(#require(ScaledPicture.png(of: picture(name), edge: edge)).bytes)
  }

  @Test("each format is decoded, and keeps its proportions", arguments: Samples.all.keys.sorted())
  func formats(name: String) throws {
    for (edge, width, height) in [(24, 24, 16), (48, 48, 32), (100, 48, 32), (5, 5, 3), (1, 1, 1)] {
      let read = try scaled(name, edge)
      #expect(read.width == width && read.height == height, "\(name) at \(edge)")
    }
    let read = try scaled(name, 24)
    let (left, right) = (read[2, 8], read[21, 8])
    #expect(left[0] > 200 && left[2] < 60 && right[0] < 60 && right[2] > 200, "\(name): \(left) \(right)")
  }

  @Test("from afar a small one looks like the large one", arguments: [7, 20, 33, 64, 99])
  func means(edge: Int) throws {
    let large = Placeholder(of: "mean").png(edge: 100).bytes
    let small = try PNGReader(#require(ScaledPicture.png(of: large, edge: edge)).bytes)
    for (one, other) in zip(try PNGReader(large).mean, small.mean) { #expect(abs(one - other) < 1) }
  }

  @Test("what is broken, of another format or too large gives nothing, and soon")
  func refused() throws {
    #expect(ScaledPicture.png(of: [], edge: 10) == nil)
    #expect(ScaledPicture.png(of: Array("GIF89a and so on, which is long enough".utf8), edge: 10) == nil)
    for name in Samples.all.keys {
      let whole = try picture(name)
      for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 50)) {
        _ = ScaledPicture.png(of: Array(whole.prefix(count)), edge: 10)
      }
    }
    // A PNG that claims to be 20,000 pixels each way.
    var huge = Placeholder(of: "x").png(edge: 8).bytes
    huge.replaceSubrange(16..<24, with: [0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20])
    #expect(ScaledPicture.png(of: huge, edge: 10) == nil)
    #expect(ScaledPicture.png(of: try picture("png"), edge: 0) == nil)
  }

  @Test("no damage makes it fail otherwise", arguments: Samples.all.keys.sorted())
  func damaged(name: String) throws {
    let whole = try picture(name)
    for seed in 0..<300 as Range<UInt64> {
      var (random, bytes) = (SeededGenerator(seed: seed), whole)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 16..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if let picture = ScaledPicture.png(of: bytes, edge: 16) { _ = try PNGReader(picture.bytes) }
    }
  }
}
