// SPDX-License-Identifier: MIT

/// The first image of a GIF, decoded. Later images of an animation are ignored.
///
/// A file of a few bytes may claim any size, so the number of pixels is limited. Of a truncated image, the part that is there is shown.
package struct GIFPicture: Sendable {
  package let width: Int
  package let height: Int
  /// Red, green, blue and alpha of each pixel, row by row.
  package private(set) var pixels: [UInt8]

  /// The longest side that is accepted; this and the number of pixels have the same limits as for other formats.
  private static let longestSide = 16_384
  private static let mostPixels = 25_000_000
  /// The most parts before the first image that are looked at. Real files have a few.
  private static let mostParts = 10_000

  /// The place of an image on the GIF's screen, and how its rows are stored.
  private struct Frame {
    var left, top, width, height: Int
    var isInterlaced: Bool
    var colours: ArraySlice<UInt8>
  }

  /// The picture in these bytes; nil if they have no image, or one with too many pixels.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count > 13, bytes.starts(with: "GIF8".utf8) else { return nil }
    var reader = Reader(bytes: bytes, offset: 6)
    guard let screenWidth = reader.number(), let screenHeight = reader.number(), let flags = reader.byte(),
      reader.skip(2)
    else { return nil }
    let shared = reader.colours(flags)
    var transparent: UInt8?
    for _ in 0..<Self.mostParts {
      switch reader.byte() {
      case 0x21: transparent = reader.skipExtension() ?? transparent
      case 0x2C:
        guard let frame = Self.frame(&reader, shared) else { return nil }
        (width, height) = (
          max(screenWidth, frame.left + frame.width), max(screenHeight, frame.top + frame.height)
        )
        guard max(width, height) <= Self.longestSide, width * height <= Self.mostPixels else { return nil }
        pixels = [UInt8](repeating: 0, count: width * height * 4)
        guard draw(frame, transparent, &reader) else { return nil }
        return
      default: return nil
      }
    }
    return nil
  }

  private static func frame(_ reader: inout Reader, _ shared: ArraySlice<UInt8>) -> Frame? {
    guard let left = reader.number(), let top = reader.number(), let width = reader.number(),
      let height = reader.number(), let flags = reader.byte(), width > 0, height > 0
    else { return nil }
    let own = reader.colours(flags)
    let isInterlaced = flags & 0x40 != 0
    return Frame(
      left: left, top: top, width: width, height: height, isInterlaced: isInterlaced,
      colours: own.isEmpty ? shared : own)
  }

  /// Decodes the image into the pixels. Returns false if not a single pixel could be decoded.
  private mutating func draw(_ frame: Frame, _ transparent: UInt8?, _ reader: inout Reader) -> Bool {
    guard let size = reader.byte(), (1...11).contains(size) else { return false }
    var unpacker = Unpacker(letterSize: Int(size))
    let rows = frame.isInterlaced ? Self.interlaced(frame.height) : Array(0..<frame.height)
    var (x, row, count) = (0, 0, 0)
    unpacker.unpack(&reader) { colour in
      if colour != transparent {
        let from = frame.colours.startIndex + 3 * Int(colour)
        let to = 4 * ((frame.top + rows[row]) * width + frame.left + x)
        if from + 3 <= frame.colours.endIndex {
          for part in 0..<3 { pixels[to + part] = frame.colours[from + part] }
        }
        pixels[to + 3] = 255
      }
      (x, count) = (x + 1, count + 1)
      if x == frame.width { (x, row) = (0, row + 1) }
      return row < frame.height
    }
    return count > 0
  }

  /// The order in which the rows of an interlaced image are stored.
  private static func interlaced(_ height: Int) -> [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }
}

/// Reads a GIF from front to end.
private struct Reader {
  let bytes: [UInt8]
  var offset: Int

  mutating func byte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// A number of two bytes, the lower one first.
  mutating func number() -> Int? {
    guard let low = byte(), let high = byte() else { return nil }
    return Int(high) << 8 | Int(low)
  }

  mutating func skip(_ count: Int) -> Bool {
    offset += count
    return offset <= bytes.count
  }

  /// The colour table that these flags announce; empty if they announce none.
  mutating func colours(_ flags: UInt8) -> ArraySlice<UInt8> {
    guard flags & 0x80 != 0 else { return [] }
    let start = min(offset, bytes.count)
    offset = min(start + (3 << (Int(flags & 7) + 1)), bytes.count)
    return bytes[start..<offset]
  }

  /// The next piece of a block; nil after the last one.
  mutating func piece() -> ArraySlice<UInt8>? {
    guard let count = byte(), count > 0 else { return nil }
    let start = offset
    offset = min(offset + Int(count), bytes.count)
    return bytes[start..<offset]
  }

  /// Skips an extension. Returns the index of the transparent colour, if the extension states one.
  mutating func skipExtension() -> UInt8? {
    let kind = byte()
    var transparent: UInt8?
    while let piece = piece() {
      guard kind == 0xF9, piece.count >= 4, piece[piece.startIndex] & 1 != 0 else { continue }
      transparent = piece[piece.startIndex + 3]
    }
    return transparent
  }
}

/// Decodes LZW codes. Each code stands for a word: a single colour index, or a word that occurred before with one index added.
private struct Unpacker {
  private static let mostWords = 4_096

  private let letterSize: Int
  /// For each word, the word that it continues; the index that it adds is in the other table.
  private var earlier = [UInt16](repeating: 0, count: mostWords)
  private var letters = [UInt8](repeating: 0, count: mostWords)
  private var count = 0
  private var codeSize = 0
  private var previous: Int?
  private var word: [UInt8] = []

  init(letterSize: Int) {
    self.letterSize = letterSize
    for letter in 0..<min(1 << letterSize, 256) { letters[letter] = UInt8(letter) }
    begin()
  }

  private var clear: Int { 1 << letterSize }

  private mutating func begin() { (count, codeSize, previous) = (clear + 2, letterSize + 1, nil) }

  /// Calls `take` with each colour index of the image, until that returns false, the image ends, or a code is invalid.
  mutating func unpack(_ reader: inout Reader, _ take: (UInt8) -> Bool) {
    var (bits, held) = (0, 0)
    while let piece = reader.piece() {
      for byte in piece {
        bits |= Int(byte) << held
        held += 8
        while held >= codeSize {
          let code = bits & (1 << codeSize - 1)
          bits >>= codeSize
          held -= codeSize
          if code == clear {
            begin()
          } else {
            guard code != clear + 1, spell(code) else { return }
            for letter in word.reversed() { guard take(letter) else { return } }
          }
        }
      }
    }
  }

  /// Puts the colour indices of a word into `word`, the last one first, and adds the next word to the tables. Returns false if the code is invalid.
  private mutating func spell(_ code: Int) -> Bool {
    word.removeAll(keepingCapacity: true)
    guard code < count || code == count && previous != nil, code < Self.mostWords else { return false }
    // A code that is about to be defined is the previous word followed by its own first index.
    var rest = code < count ? code : previous ?? 0
    if code == count { word.append(0) }
    while rest >= clear + 2 {
      word.append(letters[rest])
      rest = Int(earlier[rest])
    }
    guard rest < clear else { return false }
    word.append(letters[rest])
    if code == count { word[0] = letters[rest] }
    if let previous, count < Self.mostWords {
      (earlier[count], letters[count]) = (UInt16(previous), letters[rest])
      count += 1
      if count == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }
    previous = code
    return true
  }
}
