// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
@testable import PictureModel
import Testing

@Suite("Pictures that are drawn")
struct PlaceholderTests {
  @Test("the same name has the same picture, and others have others")
  func names() {
    let names = ["Blue", "Kind of Blue", "", "Ünïcödé", "Blue "]
    let pictures = names.map { Placeholder(of: $0).png(edge: 64).bytes }
    #expect(Set(pictures).count == names.count)
    #expect(pictures == names.map { Placeholder(of: $0).png(edge: 64).bytes })
  }

  @Test("it is a whole PNG of the asked size, up to a limit", arguments: [0, 1, 2, 17, 300, 5_000])
  func sizes(edge: Int) {
    let picture = Placeholder(of: "x").png(edge: edge)
    let wanted = min(max(1, edge), Placeholder.largestEdge)
    #expect(picture.format == .png && picture.bytes[16..<24] == IndexedPNG.size(wanted)[...])
    #expect(picture.bytes.count < 120_000)
  }

  @Test("zlib unpacks it, and the pixels are those that were meant", arguments: 0..<20)
  func decoded(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (Int.random(in: 1...300, using: &random), Int.random(in: 1...40, using: &random))
    let palette = (0..<256).map { (UInt8($0), UInt8(255 - $0), UInt8($0 / 2)) }
    // Runs of all lengths, and noise between.
    var pixels: [UInt8] = []
    while pixels.count < width * height {
      let run = Bool.random(using: &random) ? 1 : Int.random(in: 1...600, using: &random)
      pixels += [UInt8](repeating: .random(in: 0...255, using: &random), count: run)
    }
    pixels = Array(pixels.prefix(width * height))
    let read = try PNGReader(IndexedPNG(width: width, pixels: pixels, palette: palette).bytes)
    #expect(read.width == width && read.height == height)
    #expect(
      read.pixels.map { $0[0] } == pixels && read.pixels.map { $0[1] } == pixels.map { 255 - $0 },
      "seed \(seed)")
  }

  @Test("it is a record: a sleeve, a dark disc, a label and a hole")
  func shape() throws {
    let read = try PNGReader(Placeholder(of: "Blue").png(edge: 200).bytes)
    let (sleeve, disc, label, hole) = (read[2, 2], read[100, 40], read[100, 80], read[100, 100])
    #expect(sleeve == read[197, 197] && sleeve == hole)
    #expect(disc.prefix(3).allSatisfy { $0 < 60 } && label != sleeve && label != disc)
  }
}

extension IndexedPNG {
  fileprivate static func size(_ edge: Int) -> [UInt8] {
    [edge, edge].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  }
}
