// SPDX-License-Identifier: MIT
import PictureModel

/// A picture in few colours.
struct FewColours {
  let width: Int
  let height: Int
  private(set) var colours: [PixelColour] = []
  /// The place of each pixel's colour in `colours`, row by row; -1 if the pixel is transparent.
  private(set) var pixels: [Int16] = []

  /// The picture in at most this many colours: its own if it has no more.
  init(_ picture: PNGPicture, most: Int) {
    (width, height) = (picture.width, picture.height)
    if !takeExactly(picture.pixels, most: most) { dither(picture.pixels, most: most) }
  }

  // MARK: Its own colours

  /// Takes the picture's own colours. Returns false, and takes none, if there are more than `most`.
  private mutating func takeExactly(_ source: [UInt8], most: Int) -> Bool {
    var known: [UInt32: Int16] = [:]
    var last: (key: UInt32, index: Int16)?
    pixels.reserveCapacity(width * height)
    for place in stride(from: 0, to: source.count, by: 4) {
      guard source[place + 3] >= 128 else {
        pixels.append(-1)
        continue
      }
      let key = UInt32(source[place]) << 16 | UInt32(source[place + 1]) << 8 | UInt32(source[place + 2])
      if last?.key != key {
        if known[key] == nil {
          guard colours.count < most else { return false }
          known[key] = Int16(colours.count)
          colours.append(Self.colour(source, place))
        }
        last = known[key].map { (key, $0) }
      }
      pixels.append(last?.index ?? -1)
    }
    return true
  }

  private static func colour(_ source: [UInt8], _ place: Int) -> PixelColour {
    PixelColour(Int32(source[place]), Int32(source[place + 1]), Int32(source[place + 2]), 0)
  }

  // MARK: Mixed colours

  /// An error of this size is not passed on: it would put specks into a plain area.
  private static let leastError: Int32 = 3

  /// Gives each pixel the nearest of the chosen colours, and passes most of the error on to its neighbours that come later (Floyd and Steinberg):
  /// seven sixteenths to the next, three, five and one to those below. Every second row goes from right to left, as otherwise the specks line up.
  private mutating func dither(_ source: [UInt8], most: Int) {
    var nearest = NearestColour(ColourCut.colours(of: source, most: most))
    colours = nearest.colours
    pixels = [Int16](repeating: -1, count: width * height)
    // A column on each side for errors that leave the picture.
    var below = [PixelColour](repeating: .zero, count: width + 2)
    for y in 0..<height {
      let here = below
      for index in below.indices { below[index] = .zero }
      ditherRow(y, source, errors: here, passing: &below, &nearest)
    }
  }

  private mutating func ditherRow(
    _ y: Int, _ source: [UInt8], errors: [PixelColour], passing below: inout [PixelColour],
    _ nearest: inout NearestColour
  ) {
    let ahead = y % 2 == 0 ? 1 : -1
    let isFirst = y % SixelPicture.bandHeight == 0
    var beside = -1
    var carried = PixelColour.zero
    for step in 0..<width {
      let x = ahead > 0 ? step : width - 1 - step
      let place = y * width + x
      guard source[4 * place + 3] >= 128 else {
        (carried, beside) = (.zero, -1)
        continue
      }
      // Errors are kept in sixteenths. An eighth of them is dropped, so that they do not travel far.
      let wanted = (Self.colour(source, 4 * place) &+ ((errors[x + 1] &+ carried) &* 7 &+ 64) &>> 7)
        .clamped(lowerBound: .zero, upperBound: PixelColour(255, 255, 255, 0))
      let index = choose(wanted, at: place, isFirst: isFirst, beside: beside, &nearest)
      (pixels[place], beside) = (Int16(index), index)
      let error = Self.error(wanted &- colours[index])
      carried = error &* 7
      below[x + 1 - ahead] &+= error &* 3
      below[x + 1] &+= error &* 5
      below[x + 1 + ahead] &+= error
    }
  }

  private static func error(_ error: PixelColour) -> PixelColour {
    let isSmall = (error .> -leastError) .& (error .< leastError)
    return error.replacing(with: 0, where: isSmall)
  }

  /// The nearest colour; or that of the pixel above, unless this is the first row of a band, or beside it, if one of these is not much further. A
  /// colour that goes on costs few bytes, and the pixels after it make good what is wrong with it.
  private func choose(
    _ wanted: PixelColour, at place: Int, isFirst: Bool, beside: Int, _ nearest: inout NearestColour
  ) -> Int {
    let index = nearest.index(of: wanted)
    // These numbers were found by looking at covers: with larger ones there are streaks in plain areas.
    let reach = min(4 * NearestColour.distance(colours[index], wanted) + 50, 600)
    if !isFirst {
      let above = Int(pixels[place - width])
      if above >= 0, NearestColour.distance(colours[above], wanted) < reach { return above }
    }
    if beside >= 0, NearestColour.distance(colours[beside], wanted) < reach { return beside }
    return index
  }
}

/// Finds the nearest of some colours.
struct NearestColour {
  /// From the least green one to the most.
  let colours: [PixelColour]
  /// How many colours have less green than each value.
  private var lessGreen: [Int] = []
  /// What was found, for each colour in six bits a part; -1 where nobody has looked.
  private var found = [Int16](repeating: -1, count: 1 << 18)

  init(_ colours: [PixelColour]) {
    self.colours = colours.sorted { ($0.y, $0.x, $0.z) < ($1.y, $1.x, $1.z) }
    for green in Int32(0)..<256 { lessGreen.append(colours.count { $0.y < green }) }
  }

  // Green is seen best and blue least.
  private static var weights: PixelColour { PixelColour(2, 4, 1, 0) }

  static func distance(_ one: PixelColour, _ other: PixelColour) -> Int32 {
    let difference = one &- other
    return (difference &* difference &* weights).wrappedSum()
  }

  mutating func index(of colour: PixelColour) -> Int {
    let key = Int(colour.x >> 2) << 12 | Int(colour.y >> 2) << 6 | Int(colour.z >> 2)
    if found[key] < 0 {
      // The same for all colours of this key, whichever comes first.
      let middle = PixelColour(colour.x & ~3 | 2, colour.y & ~3 | 2, colour.z & ~3 | 2, 0)
      found[key] = Int16(search(middle))
    }
    return Int(found[key])
  }

  /// The colours are sorted by green, so this looks from the asked green upwards and then downwards. It stops each way at a colour whose green alone
  /// is further away than the best one that was found.
  private func search(_ colour: PixelColour) -> Int {
    let start = lessGreen[Int(colour.y)]
    var best = (index: 0, distance: Int32.max)
    for index in start..<colours.count where !take(index, colour, &best) { break }
    for index in (0..<start).reversed() where !take(index, colour, &best) { break }
    return best.index
  }

  /// False if no colour beyond this one can be nearer.
  private func take(_ index: Int, _ colour: PixelColour, _ best: inout (index: Int, distance: Int32)) -> Bool
  {
    let green = colours[index].y - colour.y
    guard Self.weights.y * green * green < best.distance else { return false }
    let distance = Self.distance(colours[index], colour)
    if distance < best.distance { best = (index, distance) }
    return true
  }
}
