// SPDX-License-Identifier: MIT
import FermataTestKit
import PictureModel
@testable import ScreenModel
import Testing

@Suite("Pictures by sixel")
struct SixelPictureTests {
  private static func picture(
    _ width: Int, _ height: Int, _ colour: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)?
  ) -> PNGPicture {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let colour = colour(x, y)
        pixels += colour.map { [$0.0, $0.1, $0.2, 255] } ?? [9, 9, 9, 0]
      }
    }
    return PNGPicture(width: width, height: height, pixels: pixels)
  }

  private static func text(_ picture: PNGPicture, colours: Int) -> String {
    String(decoding: SixelPicture(picture, colours: colours).bytes, as: UTF8.self)
  }

  private static func read(_ picture: SixelPicture) throws -> ReferenceSixel {
    let text = String(decoding: picture.bytes, as: UTF8.self)
    try #require(text.hasPrefix("\u{1B}P") && text.hasSuffix("\u{1B}\\"))
    return try ReferenceSixel(text.dropFirst(2).dropLast(2))
  }

  /// A colour in parts of a hundred.
  private static func parts(_ colour: PixelColour) -> [Int] {
    (0..<3).map { Int((colour[$0] * 100 + 127) / 255) }
  }

  private static func colour(_ picture: PNGPicture, _ index: Int) -> PixelColour? {
    let parts = picture.pixels[4 * index..<4 * index + 4].map { Int32($0) }
    return parts[3] >= 128 ? PixelColour(parts[0], parts[1], parts[2], 0) : nil
  }

  /// How far a picture that was read is from another, as the root of the mean square.
  private static func error(_ sixel: ReferenceSixel, _ picture: PNGPicture) -> Double {
    var sum = 0.0
    for (index, parts) in sixel.pixels.enumerated() {
      guard let parts, let colour = colour(picture, index) else { continue }
      for part in 0..<3 {
        let difference = Double(parts[part]) * 2.55 - Double(colour[part])
        sum += difference * difference
      }
    }
    return (sum / Double(3 * sixel.pixels.count)).squareRoot()
  }

  // MARK: The bytes

  @Test("runs are numbers from four columns on, and colours share a line where they lie side by side")
  func runs() {
    let flat = Self.picture(100, 12) { _, _ in (255, 0, 0) }
    #expect(
      Self.text(flat, colours: 16) == "\u{1B}P0;1q\"1;1;100;12#0;2;100;0;0#0!100~-#0!100~\u{1B}\\")
    let halves = Self.picture(7, 1) { x, _ in x < 3 ? (0, 0, 0) : (255, 255, 255) }
    #expect(
      Self.text(halves, colours: 16)
        == "\u{1B}P0;1q\"1;1;7;1#0;2;0;0;0#1;2;100;100;100#0@@@#1!4@\u{1B}\\")
    let checks = Self.picture(3, 2) { x, y in (x + y) % 2 == 0 ? (0, 0, 0) : (0, 0, 255) }
    #expect(
      Self.text(checks, colours: 16)
        == "\u{1B}P0;1q\"1;1;3;2#0;2;0;0;0#1;2;0;0;100#0@A@$#1A@A\u{1B}\\")
  }

  @Test("pixels that are transparent are not drawn, nor is what lies below the picture")
  func transparency() throws {
    let none = Self.picture(5, 13) { _, _ in nil }
    #expect(Self.text(none, colours: 16) == "\u{1B}P0;1q\"1;1;5;13--\u{1B}\\")
    let one = Self.picture(30, 8) { x, y in x == 20 && y == 7 ? (255, 255, 255) : nil }
    #expect(Self.text(one, colours: 16) == "\u{1B}P0;1q\"1;1;30;8#0;2;100;100;100-#0!20?A\u{1B}\\")
    #expect(SixelPicture(one, colours: 16).fullHeight == 12)
  }

  @Test(
    "what a terminal reads is the picture in few colours, whatever its size",
    arguments: [2, 16, 256], [(1, 1), (7, 5), (13, 17), (40, 31), (97, 12)])
  func exactness(colours: Int, size: (Int, Int)) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for kinds in [3, 40, 100_000] {
      let known = (0..<kinds).map { _ in UInt32.random(in: 0..<1 << 24, using: &generator) }
      let picture = Self.picture(size.0, size.1) { _, _ in
        guard Int.random(in: 0..<9, using: &generator) > 0,
          let colour = known.randomElement(using: &generator)
        else { return nil }
        return (UInt8(colour >> 16), UInt8(colour >> 8 & 255), UInt8(colour & 255))
      }
      let sixel = SixelPicture(picture, colours: colours)
      let read = try Self.read(sixel)
      #expect(read.width == size.0 && read.height == size.1 && read.colours.count <= colours)
      let used = FewColours(picture, most: read.colours.count < 64 ? colours : read.colours.count)
      let expected = used.pixels.map { $0 < 0 ? nil : Self.parts(used.colours[Int($0)]) }
      #expect(read.pixels == expected, "seed \(seed), \(kinds) colours")
      #expect(SixelPicture(picture, colours: colours) == sixel)
    }
  }

  @Test("a picture of no more colours than there may be keeps its own")
  func ownColours() throws {
    let picture = Self.picture(16, 16) { x, y in (UInt8(x * 17), UInt8(y * 17), 77) }
    let read = try Self.read(SixelPicture(picture, colours: 256))
    for (index, parts) in read.pixels.enumerated() {
      #expect(parts == Self.colour(picture, index).map(Self.parts))
    }
  }

  @Test("many colours become few that look like them", arguments: [(256, 8.0), (64, 12), (16, 24), (8, 40)])
  func likeness(colours: Int, bound: Double) throws {
    let picture = Self.picture(96, 96) { x, y in
      (UInt8(x * 255 / 95), UInt8(y * 255 / 95), UInt8((x + y) * 255 / 190))
    }
    let read = try Self.read(SixelPicture(picture, colours: colours))
    #expect(Self.error(read, picture) < bound)
    // Seen from afar, the errors of neighbours take each other away.
    for (left, top) in [(0, 0), (40, 24), (80, 80)] {
      for part in 0..<3 {
        var (shown, meant) = (0.0, 0.0)
        for place in 0..<256 {
          let index = (top + place / 16) * 96 + left + place % 16
          shown += Double(read.pixels[index]?[part] ?? 0) * 2.55 / 256
          meant += Double(picture.pixels[4 * index + part]) / 256
        }
        #expect(abs(shown - meant) < bound, "from \(left), \(top) on")
      }
    }
  }

  @Test("a plain area beside many colours has no specks")
  func plainArea() throws {
    let picture = Self.picture(120, 60) { x, y in
      x < 60 ? (UInt8(x * 4), UInt8(y * 4), UInt8((x * y) % 256)) : (250, 251, 249)
    }
    for colours in [16, 64, 256] {
      let read = try Self.read(SixelPicture(picture, colours: colours))
      let plain = (0..<60).flatMap { y in (64..<120).map { read.pixels[y * 120 + $0] } }
      #expect(Set(plain).count == 1, "\(colours) colours")
    }
  }

  @Test("a motley picture gets fewer colours, so that its bytes are not many more than its pixels")
  func budget() throws {
    var generator = SeededGenerator(seed: 7)
    let smooth = Self.picture(120, 120) { x, y in
      (UInt8(x * 2), UInt8(y * 2), UInt8(UInt8.random(in: 0..<4, using: &generator)))
    }
    let rough = Self.picture(120, 120) { x, y in
      let noise = Int.random(in: -30..<30, using: &generator)
      return (UInt8(clamping: x * 2 + noise), UInt8(clamping: y * 2 + noise), UInt8(clamping: 99 + noise))
    }
    let one = SixelPicture(smooth, colours: 256)
    #expect(try Self.read(one).colours.count > 200 && one.bytes.count < 20_000)
    let other = SixelPicture(rough, colours: 256)
    #expect(try Self.read(other).colours.count <= 128)
    // None has fewer for that than 64, nor more than 256.
    let noise = Self.picture(90, 90) { _, _ in
      let colour = UInt32.random(in: 0..<1 << 24, using: &generator)
      return (UInt8(colour >> 16), UInt8(colour >> 8 & 255), UInt8(colour & 255))
    }
    #expect(try Self.read(SixelPicture(noise, colours: 9_999)).colours.count == 64)
    #expect(try Self.read(SixelPicture(noise, colours: 20)).colours.count == 20)
    #expect(try Self.read(SixelPicture(noise, colours: 0)).colours.count == 1)
  }

  @Test("the nearest of some colours is found without looking at all of them")
  func nearest() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    func random() -> PixelColour {
      PixelColour((0..<4).map { $0 < 3 ? Int32.random(in: 0...255, using: &generator) : 0 })
    }
    for count in [1, 2, 16, 256] {
      let colours = (0..<count).map { _ in random() }
      var nearest = NearestColour(colours)
      for _ in 0..<300 {
        let wanted = random()
        let found = nearest.colours[nearest.index(of: wanted)]
        // Colours are the same here if they differ in the last two bits only.
        let middle = PixelColour(wanted.x & ~3 | 2, wanted.y & ~3 | 2, wanted.z & ~3 | 2, 0)
        let least = colours.map { NearestColour.distance($0, middle) }.min()
        #expect(NearestColour.distance(found, middle) == least, "seed \(seed)")
      }
    }
  }

  @Test("a small picture is made larger smoothly, and keeps its shape, its plain areas and its corners")
  func enlargement() throws {
    let picture = Self.picture(4, 2) { x, y in x == 3 ? nil : (UInt8(x * 100), 50, UInt8(y * 200)) }
    let larger = picture.enlarged(toFit: 40)
    #expect(larger.width == 40 && larger.height == 20)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(larger.pixels[4 * (y * 40 + x)..<4 * (y * 40 + x) + 4])
    }
    #expect(pixel(0, 0) == [0, 50, 0, 255] && pixel(0, 19) == [0, 50, 200, 255] && pixel(39, 19)[3] == 0)
    let ramp = (0..<25).map { pixel($0, 3)[0] }
    #expect(ramp == ramp.sorted() && Set(ramp).count > 15 && (190...200).contains(ramp[24]))
    #expect((0..<25).allSatisfy { pixel($0, 10)[1] == 50 })
    for edge in [0, 1, 4] { #expect(picture.enlarged(toFit: edge) == picture) }
    let line = Self.picture(1, 3) { _, _ in (9, 9, 9) }.enlarged(toFit: 7)
    #expect(line.width == 2 && line.height == 7 && line.pixels.count == 56)
  }
}
