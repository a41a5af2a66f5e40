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

  @Test("whoever shows it reads the same pixels without a library", arguments: Samples.all.keys.sorted())
  func shown(name: String) throws {
    for edge in [1, 7, 24, 48] {
      let file = try #require(ScaledPicture.png(of: picture(name), edge: edge)).bytes
      let shown = try #require(PNGPicture(file))
      let read = try PNGReader(file)
      #expect(shown.width == read.width && shown.height == read.height)
      #expect(shown.pixels == read.pixels.flatMap { $0 }, "\(name) at \(edge)")
    }
  }

  @Test("so it does with many sizes of a picture that takes codes of its own", arguments: 2...70)
  func shownAtMany(edge: Int) throws {
    let large = Placeholder(of: "many").png(edge: 100).bytes
    let file = try #require(ScaledPicture.png(of: large, edge: edge)).bytes
    #expect(try PNGPicture(file)?.pixels == PNGReader(file).pixels.flatMap { $0 })
  }

  @Test("what is broken, of another format or too large gives nothing, and soon")
  func refused() throws {
    #expect(ScaledPicture.png(of: [], edge: 10) == nil)
    #expect(ScaledPicture.png(of: Array("GIF89a and so on, which is long enough".utf8), edge: 10) == nil)
    #expect(ScaledPicture.png(of: Array("BM and so on, which is long enough".utf8), edge: 10) == nil)
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

  @Test("of a scan larger than the bound the picture is shown if it can be decoded line by line")
  func largeScan() throws {
    let folder = try TemporaryDirectory()
    let large = folder.path("large.jpg")
    try Tool.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=6000x6000", "-frames:v", "1", "-q:v", "5",
      large)
    let read = try PNGReader(#require(ScaledPicture.png(of: contents(of: large), edge: 100)).bytes)
    #expect(read.width == 100 && read.height == 100 && read[50, 50][0] > 200 && read[50, 50][1] < 60)
    // One that comes in several passes would take more memory than there is.
    var passes = try picture("jpeg progressive")
    let frame = try #require(passes.indices.first { passes[$0...].starts(with: [0xFF, 0xC2]) })
    passes.replaceSubrange(frame + 5..<frame + 9, with: [0x17, 0x70, 0x17, 0x70])
    #expect(ScaledPicture.png(of: passes, edge: 100) == nil)
  }

  // MARK: Upright

  @Test(
    "what a camera stored as it was held stands upright",
    arguments: PictureOrientation.allCases, [true, false])
  func turned(orientation: PictureOrientation, isBig: Bool) throws {
    let stored = try picture("jpeg")
    let held = Array(stored[..<2]) + Self.exif(orientation.rawValue, isBig) + stored[2...]
    #expect(PictureOrientation(ofJPEG: held) == orientation)
    let read = try PNGReader(#require(ScaledPicture.png(of: held, edge: 24)).bytes)
    // Stored is red on the left: by the orientation, red is seen on the left, the right, above or below.
    let red: (x: Int, y: Int) =
      switch orientation {
      case .upright, .mirroredUpsideDown: (2, 8)
      case .mirrored, .upsideDown: (21, 8)
      case .mirroredOnItsLeftSide, .onItsLeftSide: (8, 2)
      case .mirroredOnItsRightSide, .onItsRightSide: (8, 21)
      }
    let isUp = read.width == 24
    #expect(isUp ? read.height == 16 : read.width == 16 && read.height == 24)
    #expect(isUp == (orientation.rawValue < 5))
    let blue = isUp ? (x: 23 - red.x, y: red.y) : (x: red.x, y: 23 - red.y)
    #expect(read[red.x, red.y][0] > 200 && read[red.x, red.y][2] < 60, "\(orientation)")
    #expect(read[blue.x, blue.y][2] > 200 && read[blue.x, blue.y][0] < 60, "\(orientation)")
  }

  @Test("above and below, left and right are told apart where a picture is turned")
  func corners() throws {
    // One corner is white; a JPEG's blocks are kept whole, so that it stays so.
    let folder = try TemporaryDirectory()
    let path = folder.path("corner.jpg")
    try Tool.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=black:s=32x16", "-vf",
      "drawbox=x=0:y=0:w=8:h=8:color=white:t=fill", "-frames:v", "1", "-q:v", "2", path)
    let stored = try contents(of: path)
    let expected = [
      1: (0, 0), 2: (31, 0), 3: (31, 15), 4: (0, 15), 5: (0, 0), 6: (15, 0), 7: (15, 31), 8: (0, 31),
    ]
    for (number, place) in expected {
      let held = Array(stored[..<2]) + Self.exif(number, true) + stored[2...]
      let read = try PNGReader(#require(ScaledPicture.png(of: held, edge: 32)).bytes)
      let white = [(0, 0), (read.width - 1, 0), (0, read.height - 1), (read.width - 1, read.height - 1)]
        .filter { read[$0.0, $0.1][1] > 128 }
      #expect(white.count == 1 && white[0] == place, "\(number): \(white)")
    }
  }

  @Test("a table that is torn, endless or foreign says nothing of how a picture was held")
  func tables() throws {
    let stored = try picture("jpeg")
    func read(_ segment: [UInt8]) -> PictureOrientation {
      PictureOrientation(ofJPEG: Array(stored[..<2]) + segment + stored[2...])
    }
    let whole = Self.exif(6, false)
    for count in 0..<whole.count { _ = PictureOrientation(ofJPEG: Array(stored[..<2]) + whole.prefix(count)) }
    for number in [0, 9, 65_535] { #expect(read(Self.exif(number, true)) == .upright) }
    for seed in 0..<2_000 as Range<UInt64> {
      var (random, segment) = (SeededGenerator(seed: seed), whole)
      for _ in 0..<3 {
        segment[Int.random(in: 4..<segment.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = read(segment)
    }
    #expect(read([]) == .upright && PictureOrientation(ofJPEG: []) == .upright)
  }

  /// A segment of EXIF with an entry before the one that counts.
  private static func exif(_ orientation: Int, _ isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xff) }
      return isBig ? bytes.reversed() : bytes
    }
    let head = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
    let other = number(0x0100, 2) + number(4, 2) + number(1, 4) + number(48, 4)
    let entry = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    let content = Array("Exif\0\0".utf8) + head + other + entry + number(0, 4)
    return [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xff)] + content
  }

  // MARK: GIF

  @Test(
    "a GIF's first image is what ffmpeg sees",
    arguments: [
      "testsrc=s=321x243", "mandelbrot=s=300x200", "color=red:s=16x16", "rgbtestsrc=s=64x48",
      "smptebars=s=900x7",
    ])
  func gif(source: String) throws {
    let folder = try TemporaryDirectory()
    let (path, raw) = (folder.path("a.gif"), folder.path("a.rgba"))
    let ffmpeg = ["ffmpeg", "-v", "error", "-y"]
    try Tool.run(ffmpeg + ["-f", "lavfi", "-i", source, "-frames:v", "2", path])
    try Tool.run(ffmpeg + ["-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgba", raw])
    let bytes = try contents(of: path)
    let gif = try #require(GIFPicture(bytes))
    #expect(gif.pixels == (try contents(of: raw)))
    let whole = try PNGReader(#require(ScaledPicture.png(of: bytes, edge: 2_000)).bytes)
    #expect(whole.pixels.flatMap { $0 } == gif.pixels)
    let small = try PNGReader(#require(ScaledPicture.png(of: bytes, edge: 50)).bytes)
    #expect(max(small.width, small.height) == min(50, max(gif.width, gif.height)))
  }

  @Test(
    "any image of a few colours is read back, in rows or interlaced, a part of the screen, with holes in it")
  func gifs() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (width, height) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random))
      let bits = Int.random(in: 2...8, using: &random)
      let colours = (0..<(3 << bits)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let letters = (0..<width * height).map { _ in
        UInt8.random(in: 0..<UInt8(clamping: 1 << bits), using: &random)
      }
      let (isInterlaced, left) = (Bool.random(using: &random), Int.random(in: 0...3, using: &random))
      let hole = Bool.random(using: &random) ? letters[0] : nil
      let gif = PlainGIF(
        width: width, height: height, left: left, bits: bits, colours: colours, letters: letters,
        isInterlaced: isInterlaced, hole: hole)
      let read = try #require(GIFPicture(gif.bytes))
      #expect(read.width == left + width && read.height == height)
      let expected = (0..<height).flatMap { y in
        [UInt8](repeating: 0, count: 4 * left)
          + (0..<width).flatMap { x -> [UInt8] in
            let letter = letters[y * width + x]
            return letter == hole
              ? [0, 0, 0, 0] : Array(colours[(3 * Int(letter))..<(3 * Int(letter) + 3)]) + [255]
          }
      }
      #expect(read.pixels == expected, "seed \(seed)")
    }
  }

  @Test("a GIF that is torn, damaged, or too large for its bytes gives something or nothing, and soon")
  func hostileGIFs() throws {
    let gif = PlainGIF(
      width: 20, height: 20, left: 0, bits: 3, colours: [UInt8](repeating: 9, count: 24),
      letters: [UInt8](repeating: 5, count: 400), isInterlaced: true, hole: 2
    ).bytes
    for count in 0..<gif.count { _ = GIFPicture(Array(gif.prefix(count))) }
    for seed in 0..<5_000 as Range<UInt64> {
      var (random, bytes) = (SeededGenerator(seed: seed), gif)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 6..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      // The size stays small: how large a picture may be is another question.
      bytes.replaceSubrange(6..<10, with: [20, 0, 20, 0])
      _ = GIFPicture(bytes).map { $0.pixels.count }
    }
    var huge = gif
    huge.replaceSubrange(6..<10, with: [0xff, 0xff, 0xff, 0xff])
    #expect(GIFPicture(huge) == nil)
    huge.replaceSubrange(6..<10, with: [0x00, 0x3f, 0x00, 0x3f])
    #expect(GIFPicture(huge) == nil)
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

/// A GIF whose codes are single letters, as those write who avoid its compression.
private struct PlainGIF {
  let width, height, left, bits: Int
  let colours, letters: [UInt8]
  let isInterlaced: Bool
  let hole: UInt8?

  var bytes: [UInt8] {
    let screen = number(left + width) + number(height) + [UInt8(0x80 | (bits - 1)), 0, 0]
    let control: [UInt8] = hole.map { [0x21, 0xF9, 4, 1, 0, 0, $0, 0] } ?? []
    let comment = [0x21, 0xFE, 3] + Array("abc".utf8) + [0]
    let frame = [0x2C] + number(left) + number(0) + number(width) + number(height) + [isInterlaced ? 0x40 : 0]
    return Array("GIF89a".utf8) + screen + colours + comment + control + frame + [UInt8(bits)] + pieces + [
      0, 0x3B,
    ]
  }

  private func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xff), UInt8(value >> 8)] }

  private var rows: [Int] {
    guard isInterlaced else { return Array(0..<height) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }

  /// A clear code before the words would grow too many for the size of the codes.
  private var pieces: [UInt8] {
    let clear = 1 << bits
    var (out, held, count) = ([UInt8](), 0, 0)
    func put(_ code: Int) {
      held |= code << count
      count += bits + 1
      while count >= 8 {
        out.append(UInt8(held & 0xff))
        (held, count) = (held >> 8, count - 8)
      }
    }
    let stored = rows.flatMap { letters[($0 * width)..<(($0 + 1) * width)] }
    for (index, letter) in stored.enumerated() {
      if index % (clear - 2) == 0 { put(clear) }
      put(Int(letter))
    }
    put(clear + 1)
    if count > 0 { out.append(UInt8(held & 0xff)) }
    return stride(from: 0, to: out.count, by: 255).flatMap { start -> [UInt8] in
      let piece = out[start..<min(start + 255, out.count)]
      return [UInt8(piece.count)] + piece
    }
  }
}
