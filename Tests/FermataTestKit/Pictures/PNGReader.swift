// SPDX-License-Identifier: MIT
internal import CZlib

/// The pixels of a PNG, so that a test can see what a person would. It reads eight bits a sample, as our pictures have, and no
/// interlacing; anything else is an error.
package struct PNGReader {
  package let width: Int
  package let height: Int
  /// Red, green, blue and alpha of each pixel, row by row.
  package private(set) var pixels: [[UInt8]] = []

  package init(_ file: [UInt8]) throws {
    var (at, header, palette, packed) = (8, [UInt8](), [UInt8](), [UInt8]())
    while at + 12 <= file.count {
      let length = Self.number(file, at)
      guard at + 12 + length <= file.count else { throw KitError("a chunk of the PNG is torn") }
      let content = Array(file[(at + 8)..<(at + 8 + length)])
      let sum = unsafe crc32(0, Array(file[(at + 4)..<(at + 8 + length)]), UInt32(length + 4))
      guard Int(sum) == Self.number(file, at + 8 + length) else { throw KitError("a checksum is wrong") }
      switch String(decoding: file[(at + 4)..<(at + 8)], as: UTF8.self) {
      case "IHDR": header = content
      case "PLTE": palette = content
      case "IDAT": packed += content
      default: break
      }
      at += 12 + length
    }
    guard header.count == 13, header[8] == 8, header[12] == 0, let samples = [2: 3, 3: 1, 6: 4][header[9]]
    else {
      throw KitError("it is no PNG of a kind that tests read")
    }
    (width, height) = (Self.number(header, 0), Self.number(header, 4))
    for row in try Self.rows(packed, width * samples, height, samples) {
      for start in stride(from: 0, to: row.count, by: samples) {
        switch samples {
        case 1: pixels.append(Array(palette[(3 * Int(row[start]))..<(3 * Int(row[start]) + 3)]) + [255])
        case 3: pixels.append(Array(row[start..<(start + 3)]) + [255])
        default: pixels.append(Array(row[start..<(start + 4)]))
        }
      }
    }
  }

  /// The mean of all pixels, as one would see the picture from afar.
  package var mean: [Double] {
    (0..<4).map { part in Double(pixels.reduce(0) { $0 + Int($1[part]) }) / Double(pixels.count) }
  }

  package subscript(x: Int, y: Int) -> [UInt8] { pixels[y * width + x] }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func rows(_ packed: [UInt8], _ length: Int, _ count: Int, _ step: Int) throws -> [[UInt8]] {
    var raw = [UInt8](repeating: 0, count: (length + 1) * count)
    var size = UInt(raw.count)
    guard unsafe uncompress(&raw, &size, packed, UInt(packed.count)) == Z_OK, size == raw.count else {
      throw KitError("the PNG can't be unpacked")
    }
    var (rows, above) = ([[UInt8]](), [UInt8](repeating: 0, count: length))
    for y in 0..<count {
      let filter = raw[y * (length + 1)]
      var row = Array(raw[(y * (length + 1) + 1)..<((y + 1) * (length + 1))])
      for x in 0..<length {
        let (left, up) = (x >= step ? row[x - step] : 0, above[x])
        let corner = x >= step ? above[x - step] : 0
        switch filter {
        case 1: row[x] &+= left
        case 2: row[x] &+= up
        case 3: row[x] &+= UInt8((Int(left) + Int(up)) / 2)
        case 4: row[x] &+= Self.nearest(left, up, corner)
        default: break
        }
      }
      rows.append(row)
      above = row
    }
    return rows
  }

  /// Of three neighbours the one that is nearest to what they suggest together.
  private static func nearest(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
    let guess = Int(left) + Int(up) - Int(corner)
    let distances = [left, up, corner].map { (abs(guess - Int($0)), $0) }
    return distances.min { $0.0 < $1.0 }?.1 ?? left
  }
}
