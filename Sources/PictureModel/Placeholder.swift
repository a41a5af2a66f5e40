// SPDX-License-Identifier: MIT
package import MediaModel

/// A drawn picture for an album that has none: a vinyl record in colours that come from the album's name. So the same album always has the same
/// picture, and albums next to each other mostly differ.
package struct Placeholder: Sendable {
  /// The largest size that is drawn; a larger picture would show nothing more.
  package static let largestEdge = 1_024

  private let hash: UInt64

  package init(of name: String) {
    hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The picture in a square of `edge` pixels, as PNG.
  package func png(edge: Int) -> CoverPicture {
    let edge = min(max(1, edge), Self.largestEdge)
    var pixels = [UInt8](repeating: 0, count: edge * edge)
    let radii = radii(edge)
    for y in 0..<edge {
      for x in 0..<edge { pixels[y * edge + x] = colour(x, y, edge, radii) }
    }
    let bytes = IndexedPNG(width: edge, pixels: pixels, palette: palette).bytes
    guard let picture = CoverPicture(bytes) else { preconditionFailure("a whole picture is one") }
    return picture
  }

  // MARK: Shape

  /// The rings of the drawn vinyl record from the outside to the middle: the radius at which each begins, in pixels. They are sleeve, groove, ridge,
  /// groove, ridge, groove, label and hole.
  private func radii(_ edge: Int) -> [Double] {
    let shares: [Double] = [0.43, 0.37, 0.36, 0.28, 0.27, 0.17, 0.025]
    return shares.map { $0 * Double(edge) }
  }

  /// How many steps of colour lead from one ring of the drawn record to the next.
  private static let steps = 15
  /// The colours of each two neighbouring rings, as indices into `colours`: the outer ring's, then the inner one's.
  private static let rims = [(0, 1), (1, 2), (2, 1), (1, 2), (2, 1), (1, 3), (3, 0)]

  /// The index in the palette for a pixel. Where two rings meet, one pixel has a mixed colour, so that the rings look round.
  private func colour(_ x: Int, _ y: Int, _ edge: Int, _ radii: [Double]) -> UInt8 {
    let (dx, dy) = (Double(x) + 0.5 - Double(edge) / 2, Double(y) + 0.5 - Double(edge) / 2)
    let distance = (dx * dx + dy * dy).squareRoot()
    for (rim, radius) in radii.enumerated() where distance > radius - 0.5 {
      let inside = min(1, max(0, radius + 0.5 - distance))
      return UInt8(rim * (Self.steps + 1) + Int((inside * Double(Self.steps)).rounded()))
    }
    return UInt8((radii.count - 1) * (Self.steps + 1) + Self.steps)
  }

  // MARK: Colour

  /// The colours in which pixels are drawn: for each two neighbouring rings, the steps from the colour of the one to that of the other.
  private var palette: [(UInt8, UInt8, UInt8)] {
    let colours = colours
    return Self.rims.flatMap { outer, inner in
      (0...Self.steps).map { step in
        let share = Double(step) / Double(Self.steps)
        func mix(_ one: Double, _ other: Double) -> UInt8 { UInt8((one + (other - one) * share).rounded()) }
        let (from, to) = (colours[outer], colours[inner])
        return (mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
      }
    }
  }

  /// The colours of sleeve, groove, ridge and label. The sleeve is calm, the record nearly black, and the label stands out from both.
  private var colours: [(Double, Double, Double)] {
    let hue = Double(hash % 360)
    let other = (hue + 150 + Double(hash >> 32 % 60)).truncatingRemainder(dividingBy: 360)
    return [
      Self.colour(hue, 0.36, 0.60), Self.colour(hue, 0.18, 0.13), Self.colour(hue, 0.16, 0.19),
      Self.colour(other, 0.52, 0.66),
    ]
  }

  /// A colour of this hue in degrees, saturation and lightness from 0 to 1, as red, green and blue from 0 to 255.
  private static func colour(
    _ hue: Double, _ saturation: Double, _ lightness: Double
  ) -> (Double, Double, Double) {
    let reach = saturation * min(lightness, 1 - lightness)
    func part(_ shift: Double) -> Double {
      let place = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
      return 255 * (lightness - reach * max(-1, min(place - 3, 9 - place, 1)))
    }
    return (part(0), part(8), part(4))
  }
}
