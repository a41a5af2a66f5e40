// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
@testable import PictureModel
import Testing

@Suite("The pixels of a PNG")
struct PNGPictureTests {
  private static func pixels(_ reader: PNGReader) -> [UInt8] { reader.pixels.flatMap { $0 } }

  @Test("what we draw ourselves is read as zlib reads it", arguments: [1, 2, 16, 33, 80, 200])
  func drawn(edge: Int) throws {
    let file = Placeholder(of: "Homogenic").png(edge: edge).bytes
    let picture = try #require(PNGPicture(file))
    #expect(picture.width == edge && picture.height == edge)
    #expect(picture.pixels == Self.pixels(try PNGReader(file)))
  }

  @Test("rows of all filters are read as the other reader reads them", arguments: 1...20)
  func filters(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (width, height) = (
      Int.random(in: 1...12, using: &generator), Int.random(in: 1...9, using: &generator)
    )
    let samples = Bool.random(using: &generator) ? 3 : 4
    var rows: [UInt8] = []
    for _ in 0..<height {
      rows.append(UInt8.random(in: 0...4, using: &generator))
      for _ in 0..<width * samples { rows.append(UInt8.random(in: 0...255, using: &generator)) }
    }
    let file = Self.file(width, height, kind: samples == 3 ? 2 : 6, rows)
    #expect(try PNGPicture(file)?.pixels == Self.pixels(PNGReader(file)))
    rows[0] = 5
    #expect(PNGPicture(Self.file(width, height, kind: samples == 3 ? 2 : 6, rows)) == nil)
  }

  /// A file whose rows are stored as they are.
  private static func file(_ width: Int, _ height: Int, kind: UInt8, _ rows: [UInt8]) -> [UInt8] {
    func number(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let body = Array(name.utf8) + content
      return number(content.count) + body + number(Int(IndexedPNG.checksum(body)))
    }
    let (low, high) = (UInt8(rows.count & 255), UInt8(rows.count >> 8))
    var (sum, sums): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      sum = (sum + UInt32(byte)) % 65_521
      sums = (sums + sum) % 65_521
    }
    let packed = [0x78, 0x01, 0x01, low, high, ~low, ~high] + rows + number(Int(sums << 16 | sum))
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk("IHDR", number(width) + number(height) + [8, kind, 0, 0, 0]) + chunk("IDAT", packed)
      + chunk("IEND", [])
  }

  @Test("a torn file is none, wherever it is torn")
  func torn() {
    let file = Placeholder(of: "torn").png(edge: 24).bytes
    for count in 0..<file.count - 4 { #expect(PNGPicture(Array(file.prefix(count))) == nil) }
  }

  @Test("a file with wrong bytes is none or another picture, and never more")
  func damaged() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let file = Placeholder(of: "damaged").png(edge: 20).bytes
    for _ in 0..<2_000 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: 8..<file.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      guard let picture = PNGPicture(damaged) else { continue }
      #expect(picture.pixels.count == 4 * picture.width * picture.height, "seed \(seed)")
    }
  }

  @Test("a few bytes that claim a million pixels each way are refused")
  func claims() {
    var file = Placeholder(of: "x").png(edge: 8).bytes
    file.replaceSubrange(16..<24, with: [0, 15, 66, 64, 0, 15, 66, 64])
    #expect(PNGPicture(file) == nil)
    file.replaceSubrange(16..<24, with: [UInt8](repeating: 255, count: 8))
    #expect(PNGPicture(file) == nil)
    file.replaceSubrange(16..<24, with: [UInt8](repeating: 0, count: 8))
    #expect(PNGPicture(file) == nil)
  }

  // What zlib makes of these texts, by Python's `zlib.compress`: at level 0 a block as it is, else with the standard's codes.
  @Test(
    "each kind of block is unpacked",
    arguments: [
      ([0x78, 0x01, 0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63, 0x02, 0x4D, 0x01, 0x27], "abc"),
      ([0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x06, 0x00, 0x02, 0x4D, 0x01, 0x27], "abc"),
      ([0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01], ""),
    ] as [([UInt8], String)])
  func blocks(packed: [UInt8], text: String) {
    #expect(ZlibUnpacker.unpack(packed, limit: 10) == Array(text.utf8))
    if !text.isEmpty { #expect(ZlibUnpacker.unpack(packed, limit: 2) == nil) }
  }

  @Test("no bytes make it trap or write more than it may")
  func rubbish() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...60, using: &generator)
      let rubbish = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let kind = UInt8.random(in: 0...7, using: &generator)
      let unpacked = ZlibUnpacker.unpack([0x78, 0x9C, kind] + rubbish, limit: 500)
      #expect((unpacked?.count ?? 0) <= 500, "seed \(seed)")
    }
  }
}
