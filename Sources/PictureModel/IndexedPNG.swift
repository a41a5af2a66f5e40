// SPDX-License-Identifier: MIT

/// Writes a picture of few colours as a PNG file, for pictures that we draw ourselves. Other pictures are written by libpng, in the restricted reader
/// process.
///
/// The compression only recognises runs of equal bytes, because our drawings consist of flat areas.
struct IndexedPNG {
  let width: Int
  /// The index in the palette for each pixel, row by row.
  let pixels: [UInt8]
  /// At most 256 colours, as red, green and blue.
  let palette: [(UInt8, UInt8, UInt8)]

  var bytes: [UInt8] {
    let height = pixels.count / width
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    // Eight bits for each pixel, which is an index into the palette.
    file += Self.chunk("IHDR", Self.number(width) + Self.number(height) + [8, 3, 0, 0, 0])
    file += Self.chunk("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] })
    file += Self.chunk("IDAT", Self.zlib(filtered(height)))
    file += Self.chunk("IEND", [])
    return file
  }

  /// The rows as PNG stores them: each begins with the number of a filter, and then has the differences from the row above.
  private func filtered(_ height: Int) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(pixels.count + height)
    for y in 0..<height {
      rows.append(2)
      for x in 0..<width {
        let above = y > 0 ? pixels[(y - 1) * width + x] : 0
        rows.append(pixels[y * width + x] &- above)
      }
    }
    return rows
  }

  // MARK: The file

  private static func number(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + content
    return number(content.count) + body + number(Int(checksum(body)))
  }

  /// The checksum that PNG requires for a chunk (CRC-32).
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }

  // MARK: The compression

  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01] + deflated(bytes) + number(Int(high << 16 | low))
  }

  /// One block with the fixed codes of RFC 1951: single bytes, and runs, which are written as copies from a distance of one byte.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    bits.add(1, count: 1)
    bits.add(1, count: 2)
    var at = 0
    while at < bytes.count {
      var run = 0
      if at > 0 {
        while run < 258, at + run < bytes.count, bytes[at + run] == bytes[at - 1] { run += 1 }
      }
      if run >= 3 {
        bits.addLength(run)
        // A distance of one byte has the code 0, with five bits.
        bits.add(0, count: 5)
        at += run
      } else {
        bits.addSymbol(Int(bytes[at]))
        at += 1
      }
    }
    bits.addSymbol(256)
    return bits.finished
  }
}

/// Collects bits into bytes, beginning with the lowest bit of each.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var count = 0

  var finished: [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes }

  /// Adds the lowest `count` bits of a number, the lowest bit first.
  mutating func add(_ number: Int, count: Int) {
    pending |= UInt32(number) << UInt32(self.count)
    self.count += count
    while self.count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      self.count -= 8
    }
  }

  /// Adds a code of RFC 1951, whose highest bit comes first.
  private mutating func addCode(_ code: Int, count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) { add(code >> bit & 1, count: 1) }
  }

  /// Adds the symbol of a byte, of the end (256) or of a length, in the fixed codes.
  mutating func addSymbol(_ symbol: Int) {
    switch symbol {
    case ..<144: addCode(0x30 + symbol, count: 8)
    case ..<256: addCode(0x190 + symbol - 144, count: 9)
    case ..<280: addCode(symbol - 256, count: 7)
    default: addCode(0xC0 + symbol - 280, count: 8)
    }
  }

  /// Adds the length of a copy, 3 to 258: a symbol for a range of lengths, and bits for the place in that range.
  mutating func addLength(_ length: Int) {
    if length == 258 { return addSymbol(285) }
    // The symbols 257 to 264 stand for one length each. After them come groups of four symbols, each group with one bit more.
    let offset = length - 3
    guard offset >= 8 else { return addSymbol(257 + offset) }
    let extra = Int.bitWidth - 1 - offset.leadingZeroBitCount - 2
    let group = offset >> extra & 3
    addSymbol(261 + 4 * extra + group)
    add(offset & (1 << extra - 1), count: extra)
  }
}
