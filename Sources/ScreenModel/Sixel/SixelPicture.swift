// SPDX-License-Identifier: MIT
package import PictureModel

/// A picture as the bytes by which a terminal shows it from its cursor on (sixel).
///
/// They begin with the colours. The picture follows in bands of six rows: for each colour a letter for each column, which says in its bits which of
/// the six pixels have the colour. Nothing in them comes from a file but numbers, so no byte of a file can be a command.
package struct SixelPicture: Sendable, Hashable {
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]

  static let bandHeight = 6
  /// The most colours that are of use; some terminals have more, which hardly anybody would see.
  package static let mostColours = 256
  /// Bytes are saved down to so many colours, and only where there are more bytes than these.
  private static let leastColours = 64
  private static let fewBytes = 20_000

  /// A picture in at most this many colours. A motley one gets fewer, as its bytes would be many and nobody would see more.
  package init(_ picture: PNGPicture, colours: Int) {
    (width, height) = (picture.width, picture.height)
    let most = min(max(colours, 1), Self.mostColours)
    let bytes = SixelWriter.bytes(of: FewColours(picture, most: most))
    let room = max(width * height * 5 / 4, Self.fewBytes)
    guard bytes.count > room, most > Self.leastColours else {
      self.bytes = bytes
      return
    }
    // Half of the colours take about an eighth of the bytes away, and a quarter of them takes away as much again.
    let fewer = bytes.count > room * 9 / 8 ? most / 4 : most / 2
    self.bytes = SixelWriter.bytes(of: FewColours(picture, most: max(fewer, Self.leastColours)))
  }

  /// The height of all bands, the last of which may reach beyond the picture.
  package var fullHeight: Int { (height + Self.bandHeight - 1) / Self.bandHeight * Self.bandHeight }
}

/// Writes a picture of few colours, band by band.
private struct SixelWriter {
  /// Some columns that have pixels of one colour.
  private struct Span {
    let colour: Int
    let columns: ClosedRange<Int>
  }

  private let picture: FewColours
  private(set) var bytes: [UInt8] = []
  /// The six bits of each column, for each colour, of the band that is being written.
  private var bits: [UInt8]
  /// The first and the last column in which each colour has pixels in this band. The last is -1 for one that has none.
  private var firsts: [Int]
  private var lasts: [Int]

  static func bytes(of picture: FewColours) -> [UInt8] {
    var writer = SixelWriter(picture)
    writer.writeHead()
    for top in stride(from: 0, to: picture.height, by: SixelPicture.bandHeight) {
      if top > 0 { writer.put("-") }
      writer.writeBand(top)
    }
    writer.put("\u{1B}\\")
    return writer.bytes
  }

  private init(_ picture: FewColours) {
    self.picture = picture
    bits = [UInt8](repeating: 0, count: picture.colours.count * picture.width)
    firsts = Array(repeating: .max, count: picture.colours.count)
    lasts = Array(repeating: -1, count: picture.colours.count)
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }

  /// The 1 leaves pixels without a colour as they are. Square pixels follow, the size, and the colours in parts of a hundred.
  private mutating func writeHead() {
    put("\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)")
    for (number, colour) in picture.colours.enumerated() {
      let parts = (colour &* 100 &+ 127) / 255
      put("#\(number);2;\(parts.x);\(parts.y);\(parts.z)")
    }
  }

  // MARK: Bands

  private mutating func writeBand(_ top: Int) {
    gather(top)
    var rest = spans()
    while !rest.isEmpty {
      rest = writeLine(rest)
      if !rest.isEmpty { put("$") }
    }
    for colour in lasts.indices where lasts[colour] >= 0 {
      for column in firsts[colour]...lasts[colour] { bits[colour * picture.width + column] = 0 }
      (firsts[colour], lasts[colour]) = (.max, -1)
    }
  }

  private mutating func gather(_ top: Int) {
    let width = picture.width
    for row in 0..<min(SixelPicture.bandHeight, picture.height - top) {
      let bit = UInt8(1) << UInt8(row)
      for x in 0..<width {
        let colour = Int(picture.pixels[(top + row) * width + x])
        guard colour >= 0 else { continue }
        bits[colour * width + x] |= bit
        if x < firsts[colour] { firsts[colour] = x }
        if x > lasts[colour] { lasts[colour] = x }
      }
    }
  }

  /// From how many empty columns on it costs less to name the colour again behind them.
  private static let longGap = 10

  /// The spans of all colours, from left to right.
  private func spans() -> [Span] {
    var spans: [Span] = []
    for colour in lasts.indices where lasts[colour] >= 0 {
      var (first, last) = (firsts[colour], firsts[colour])
      for column in firsts[colour]...lasts[colour] where bits[colour * picture.width + column] != 0 {
        if column - last > Self.longGap {
          spans.append(Span(colour: colour, columns: first...last))
          first = column
        }
        last = column
      }
      spans.append(Span(colour: colour, columns: first...last))
    }
    return spans.sorted { ($0.columns.lowerBound, $0.colour) < ($1.columns.lowerBound, $1.colour) }
  }

  /// Writes spans that lie side by side, going through the band once, and returns those that are left.
  private mutating func writeLine(_ spans: [Span]) -> [Span] {
    var (column, colour) = (0, -1)
    var rest: [Span] = []
    for span in spans {
      guard span.columns.lowerBound >= column else {
        rest.append(span)
        continue
      }
      if span.colour != colour {
        bytes.append(UInt8(ascii: "#"))
        write(number: span.colour)
      }
      write(bits: 0, count: span.columns.lowerBound - column)
      write(span)
      (column, colour) = (span.columns.upperBound + 1, span.colour)
    }
    return rest
  }

  private mutating func write(_ span: Span) {
    let start = span.colour * picture.width
    var (run, count): (UInt8, Int) = (0, 0)
    for column in span.columns {
      let next = bits[start + column]
      if next != run {
        write(bits: run, count: count)
        (run, count) = (next, 0)
      }
      count += 1
    }
    write(bits: run, count: count)
  }

  /// Writes `count` equal columns of six pixels. A run of more than three is shorter as a number and one letter.
  private mutating func write(bits: UInt8, count: Int) {
    let letter = UInt8(ascii: "?") + bits
    guard count > 3 else {
      for _ in 0..<count { bytes.append(letter) }
      return
    }
    bytes.append(UInt8(ascii: "!"))
    write(number: count)
    bytes.append(letter)
  }

  private mutating func write(number: Int) {
    if number > 9 { write(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

extension PNGPicture {
  /// The picture as large as it fits into a square of so many pixels; itself if it is no smaller. The agent enlarges no picture, and most terminals
  /// with graphics of their own do.
  package func enlarged(toFit edge: Int) -> PNGPicture {
    let longest = max(width, height)
    guard longest > 0, longest < edge else { return self }
    let columns = Blend.all(from: width, to: max(1, width * edge / longest))
    let rows = Blend.all(from: height, to: max(1, height * edge / longest))
    var enlarged: [UInt8] = []
    enlarged.reserveCapacity(4 * columns.count * rows.count)
    for row in rows {
      for column in columns {
        let upper = column.mix(pixel(column.first, row.first), pixel(column.second, row.first))
        let lower = column.mix(pixel(column.first, row.second), pixel(column.second, row.second))
        let mixed = row.mix(upper, lower) / Int32(Blend.whole * Blend.whole)
        for part in 0..<4 { enlarged.append(UInt8(mixed[part])) }
      }
    }
    return PNGPicture(width: columns.count, height: rows.count, pixels: enlarged)
  }

  private func pixel(_ x: Int, _ y: Int) -> SIMD4<Int32> {
    let place = 4 * (y * width + x)
    return SIMD4(
      Int32(pixels[place]), Int32(pixels[place + 1]), Int32(pixels[place + 2]), Int32(pixels[place + 3]))
  }
}

/// The two columns or rows of a picture between which one of a larger picture lies, and how near it is to the second.
private struct Blend {
  static let whole = 256

  let first: Int
  let second: Int
  private let share: Int32

  static func all(from count: Int, to larger: Int) -> [Blend] {
    (0..<larger).map { index in
      // The middle of the one, in parts of the other, counted from the middle of its first.
      let place = max(0, (2 * index + 1) * count * whole / (2 * larger) - whole / 2)
      let first = min(place / whole, count - 1)
      return Blend(first: first, second: min(first + 1, count - 1), share: Int32(place % whole))
    }
  }

  func mix(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> SIMD4<Int32> {
    one &* (Int32(Self.whole) - share) &+ other &* share
  }
}
