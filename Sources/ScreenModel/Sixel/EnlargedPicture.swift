// SPDX-License-Identifier: MIT
package import PictureModel

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
