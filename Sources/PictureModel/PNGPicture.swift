// SPDX-License-Identifier: MIT

/// The pixels of a small PNG of the kind that we write: eight bits per sample, in colour, not interlaced.
///
/// The agent gives covers as such files, and a program that shows one can get its pixels here without a library. A file of a few bytes may claim any
/// size, so the number of pixels is limited.
package struct PNGPicture: Sendable, Hashable {
  package let width: Int
  package let height: Int
  /// Red, green, blue and alpha of each pixel, row by row.
  package let pixels: [UInt8]

  /// The most pixels; no terminal has room for more.
  private static let mostPixels = 1 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// A picture of these pixels, four bytes each.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 4 * width * height, "other pixels than the size says")
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// The picture in a file; nil if it is truncated, too large or of another kind.
  package init?(_ file: [UInt8]) {
    guard let parts = Parts(file), let kind = parts.kind, parts.isSmall else { return nil }
    let length = parts.width * kind.samples
    let size = (length + 1) * parts.height
    guard var rows = ZlibUnpacker.unpack(parts.packed, limit: size), rows.count == size,
      Self.restore(&rows, length: length, step: kind.samples)
    else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * parts.width * parts.height)
    for row in stride(from: 0, to: size, by: length + 1) {
      for place in stride(from: row + 1, to: row + 1 + length, by: kind.samples) {
        switch kind {
        case .palette:
          let colour = 3 * Int(rows[place])
          guard colour + 3 <= parts.palette.count else { return nil }
          pixels += parts.palette[colour..<colour + 3]
          pixels.append(255)
        case .colour:
          pixels += rows[place..<place + 3]
          pixels.append(255)
        case .colourAndAlpha: pixels += rows[place..<place + 4]
        }
      }
    }
    self.init(width: parts.width, height: parts.height, pixels: pixels)
  }

  // MARK: Rows

  /// Undoes the filters of rows, which store differences from neighbouring samples. Each row begins with the number of its filter, and `step` is the
  /// distance to the same sample of the pixel on the left. Returns false if a filter's number is invalid.
  private static func restore(_ rows: inout [UInt8], length: Int, step: Int) -> Bool {
    for row in stride(from: 0, to: rows.count, by: length + 1) {
      let filter = rows[row]
      guard filter <= 4 else { return false }
      guard filter > 0 else { continue }
      for place in row + 1..<row + 1 + length {
        let hasLeft = place - row > step
        let hasAbove = row > 0
        let left = hasLeft ? rows[place - step] : 0
        let above = hasAbove ? rows[place - length - 1] : 0
        let corner = hasLeft && hasAbove ? rows[place - length - 1 - step] : 0
        rows[place] &+= guess(filter, left, above, corner)
      }
    }
    return true
  }

  /// A filter's prediction of a sample, to which the stored difference is added.
  private static func guess(_ filter: UInt8, _ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    switch filter {
    case 1: return left
    case 2: return above
    case 3: return UInt8((Int(left) + Int(above)) / 2)
    default:
      let sum = Int(left) + Int(above) - Int(corner)
      let (toLeft, toAbove, toCorner) = (abs(sum - Int(left)), abs(sum - Int(above)), abs(sum - Int(corner)))
      return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
    }
  }

  // MARK: The file

  /// The kinds of pixels that are read. The raw value is PNG's number for the kind.
  fileprivate enum Kind: UInt8 {
    case colour = 2
    case palette = 3
    case colourAndAlpha = 6

    var samples: Int {
      switch self {
      case .colour: 3
      case .palette: 1
      case .colourAndAlpha: 4
      }
    }
  }

  /// The chunks of a file that matter here.
  fileprivate struct Parts {
    var width = 0
    var height = 0
    var kind: Kind?
    var palette: [UInt8] = []
    var packed: [UInt8] = []

    var isSmall: Bool {
      width > 0 && height > 0 && width <= PNGPicture.mostPixels && height <= PNGPicture.mostPixels / width
    }

    init?(_ file: [UInt8]) {
      guard file.starts(with: PNGPicture.signature) else { return nil }
      var place = PNGPicture.signature.count
      while place + 12 <= file.count {
        let length = Self.number(file, place)
        guard length <= file.count - place - 12 else { return nil }
        let content = file[place + 8..<place + 8 + length]
        switch String(decoding: file[place + 4..<place + 8], as: UTF8.self) {
        case "IHDR":
          guard length == 13, content.dropFirst(8).first == 8, content.last == 0 else { return nil }
          (width, height) = (Self.number(file, place + 8), Self.number(file, place + 12))
          kind = Kind(rawValue: file[place + 17])
        case "PLTE": palette = Array(content)
        case "IDAT": packed += content
        case "IEND": return
        default: break
        }
        place += 12 + length
      }
      return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

/// A small PNG of the kinds that we write, as it is, for a terminal that reads it itself. Its chunks are whole; its pixels were not looked at.
package struct PNGFile: Sendable, Hashable {
  package let bytes: [UInt8]
  package let width: Int
  package let height: Int

  /// A file of these bytes; nil if it is damaged, too large or of another kind.
  package init?(_ bytes: [UInt8]) {
    guard let parts = PNGPicture.Parts(bytes), parts.kind != nil, parts.isSmall else { return nil }
    (self.bytes, width, height) = (bytes, parts.width, parts.height)
  }
}
