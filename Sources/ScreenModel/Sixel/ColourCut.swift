// SPDX-License-Identifier: MIT

/// Red, green and blue from 0 to 255. The fourth number is 0.
typealias PixelColour = SIMD4<Int32>

/// Chooses few colours for a picture of many.
///
/// All colours lie in one box at first. The box whose cut brings its colours nearest to the means of its halves is cut, again and again, until
/// there are as many boxes as colours are wanted. The means are the colours.
struct ColourCut {
  /// Colours that are nearly the same, as one of the points that boxes are made of.
  private struct Point {
    /// Red, green and blue in five bits each.
    let levels: SIMD4<UInt8>
    let share: Share
  }

  /// How many pixels have some colours, and the sums over them: red, green, blue, and the squares of all three.
  private struct Share {
    var count = 0.0
    var sums = SIMD4<Double>.zero

    /// How far the colours lie from their mean, as a sum of squares.
    var spread: Double {
      guard count > 0 else { return 0 }
      return sums.w - (sums.x * sums.x + sums.y * sums.y + sums.z * sums.z) / count
    }

    mutating func add(_ other: Share) {
      count += other.count
      sums += other.sums
    }

    func without(_ other: Share) -> Share { Share(count: count - other.count, sums: sums - other.sums) }
  }

  /// A part of the points, and where it is best cut: behind this level of red (0), green (1) or blue (2).
  private struct Box {
    let points: Range<Int>
    let whole: Share
    var axis = 0
    var level = 0
    /// How much less the colours differ from the average of their box, in squares, after the box is cut in two.
    var gain = 0.0
  }

  private var points: [Point]
  private var boxes: [Box] = []

  /// At most this many colours for these pixels, of four bytes each. Fewer if the picture has fewer.
  static func colours(of pixels: [UInt8], most: Int) -> [PixelColour] {
    var cut = ColourCut(points: points(of: pixels))
    guard !cut.points.isEmpty else { return [] }
    cut.boxes = [cut.box(of: 0..<cut.points.count)]
    while cut.boxes.count < most, cut.cutBest() {}
    return cut.boxes.map { box in
      let mean = (box.whole.sums / box.whole.count).rounded(.toNearestOrAwayFromZero)
      return PixelColour(Int32(mean.x), Int32(mean.y), Int32(mean.z), 0)
    }
  }

  private init(points: [Point]) { self.points = points }

  // MARK: Points

  private static let levels = 32

  private static func points(of pixels: [UInt8]) -> [Point] {
    var sums = [SIMD4<Int32>](repeating: .zero, count: levels * levels * levels)
    for place in stride(from: 0, to: pixels.count, by: 4) where pixels[place + 3] >= 128 {
      let (red, green, blue) = (pixels[place], pixels[place + 1], pixels[place + 2])
      let key = Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
      sums[key] &+= SIMD4(Int32(red), Int32(green), Int32(blue), 1)
    }
    return sums.indices.compactMap { sums[$0].w > 0 ? point($0, SIMD4(sums[$0])) : nil }
  }

  // The squares are those of the mean: what lies between nearly equal colours matters to nobody.
  private static func point(_ key: Int, _ sums: SIMD4<Double>) -> Point {
    let squares = (sums.x * sums.x + sums.y * sums.y + sums.z * sums.z) / sums.w
    return Point(
      levels: SIMD4(UInt8(key >> 10), UInt8(key >> 5 & 31), UInt8(key & 31), 0),
      share: Share(count: sums.w, sums: SIMD4(sums.x, sums.y, sums.z, squares)))
  }

  // MARK: Cuts

  /// Cuts the box whose cut gains most. False if no box can be cut.
  private mutating func cutBest() -> Bool {
    guard let best = boxes.indices.max(by: { boxes[$0].gain < boxes[$1].gain }) else { return false }
    let cut = boxes[best]
    guard cut.gain > 0 else { return false }
    let middle = points[cut.points].partition { $0.levels[cut.axis] > cut.level }
    boxes[best] = box(of: cut.points.lowerBound..<middle)
    boxes.append(box(of: middle..<cut.points.upperBound))
    return true
  }

  private func box(of range: Range<Int>) -> Box {
    var sides = [Share](repeating: Share(), count: 3 * Self.levels)
    var whole = Share()
    for point in points[range] {
      whole.add(point.share)
      for axis in 0..<3 { sides[axis * Self.levels + Int(point.levels[axis])].add(point.share) }
    }
    var box = Box(points: range, whole: whole)
    for axis in 0..<3 { Self.look(for: &box, along: axis, sides) }
    return box
  }

  /// Finds out whether a cut across this axis gains more than the best one so far.
  private static func look(for box: inout Box, along axis: Int, _ sides: [Share]) {
    var lower = Share()
    for level in 0..<levels - 1 {
      lower.add(sides[axis * levels + level])
      guard lower.count > 0 else { continue }
      guard lower.count < box.whole.count else { return }
      let gain = box.whole.spread - lower.spread - box.whole.without(lower).spread
      if gain > box.gain { (box.axis, box.level, box.gain) = (axis, level, gain) }
    }
  }
}
