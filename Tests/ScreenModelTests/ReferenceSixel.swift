// SPDX-License-Identifier: MIT

/// A picture read from what a terminal is sent for sixel. Refuses whatever some terminal would take amiss, and what costs bytes for nothing.
struct ReferenceSixel {
  typealias Refusal = ReferenceTerminal.Refusal

  private(set) var width = 0
  private(set) var height = 0
  /// Red, green and blue in parts of a hundred, for each pixel, row by row; nil where nothing was drawn.
  private(set) var pixels: [[Int]?] = []
  /// The colours by their numbers.
  private(set) var colours: [Int: [Int]] = [:]

  private let bytes: [UInt8]
  private var place = 0
  private var (x, top) = (0, 0)
  private var colour: Int?
  /// Whether the last thing was an empty run, or a run of the letter after it, which would have been one with it.
  private var last: UInt8?
  private var isRowEmpty = true

  /// The picture in a text, from behind `ESC P` to before its end mark.
  init(_ text: some StringProtocol) throws {
    bytes = Array(text.utf8)
    try readHead()
    while place < bytes.count { try readNext() }
    guard top + 6 >= height else { throw Refusal(description: "sixel ends at row \(top) of \(height)") }
  }

  var fullHeight: Int { (height + 5) / 6 * 6 }

  // MARK: Reading

  private mutating func readHead() throws {
    for letter in "0;1q\"1;1;".utf8 { try expect(letter) }
    width = try number()
    try expect(UInt8(ascii: ";"))
    height = try number()
    guard width > 0, height > 0, width * height <= 1 << 20 else { throw Refusal(description: "a size") }
    pixels = Array(repeating: nil, count: width * height)
    while let next = try readColour() {
      guard next == colours.count - 1 else { throw Refusal(description: "colours are out of order") }
    }
  }

  /// The number of a colour that is laid down here; nil if none is.
  private mutating func readColour() throws -> Int? {
    let start = place
    guard place < bytes.count, bytes[place] == UInt8(ascii: "#") else { return nil }
    place += 1
    let number = try number()
    guard place < bytes.count, bytes[place] == UInt8(ascii: ";") else {
      place = start
      return nil
    }
    for letter in ";2;".utf8 { try expect(letter) }
    var parts = [try self.number()]
    for _ in 0..<2 {
      try expect(UInt8(ascii: ";"))
      parts.append(try self.number())
    }
    guard parts.allSatisfy({ $0 <= 100 }), colours.updateValue(parts, forKey: number) == nil else {
      throw Refusal(description: "a colour of \(parts), or twice")
    }
    return number
  }

  private mutating func readNext() throws {
    let letter = bytes[place]
    place += 1
    switch letter {
    case UInt8(ascii: "#"):
      let number = try number()
      guard colours[number] != nil, number != colour || last == nil else {
        throw Refusal(description: "no colour \(number), or chosen twice")
      }
      (colour, last) = (number, nil)
    case UInt8(ascii: "$"), UInt8(ascii: "-"): try endRow(isLast: letter == UInt8(ascii: "-"))
    case UInt8(ascii: "!"):
      let count = try number()
      guard count > 3, place < bytes.count else { throw Refusal(description: "a run of \(count)") }
      place += 1
      try draw(bytes[place - 1], count)
    default: try draw(letter, 1)
    }
  }

  private mutating func endRow(isLast: Bool) throws {
    // A band in which nothing is drawn is only passed over.
    guard !isRowEmpty || isLast, last != UInt8(ascii: "?") else {
      throw Refusal(description: "nothing is drawn before the row's end")
    }
    if isLast { top += 6 }
    guard top < height else { throw Refusal(description: "a band below the picture") }
    (x, colour, last, isRowEmpty) = (0, nil, nil, true)
  }

  private mutating func draw(_ letter: UInt8, _ count: Int) throws {
    guard (0x3F...0x7E).contains(letter), let colour, x + count <= width else {
      throw Refusal(description: "letter \(letter) \(count) times at \(x) of \(width)")
    }
    if letter != UInt8(ascii: "?") { isRowEmpty = false }
    for column in x..<x + count {
      for row in 0..<6 where (letter - 0x3F) >> UInt8(row) & 1 == 1 {
        let place = (top + row) * width + column
        guard top + row < height, pixels[place] == nil else {
          throw Refusal(description: "a pixel outside, or twice, at \(column), \(top + row)")
        }
        pixels[place] = colours[colour]
      }
    }
    x += count
    last = letter
  }

  private mutating func expect(_ letter: UInt8) throws {
    guard place < bytes.count, bytes[place] == letter else {
      throw Refusal(description: "no '\(Unicode.Scalar(letter))' at \(place)")
    }
    place += 1
  }

  private mutating func number() throws -> Int {
    var (value, digits) = (0, 0)
    while place < bytes.count, (0x30...0x39).contains(bytes[place]), digits < 6 {
      value = value * 10 + Int(bytes[place] - 0x30)
      (place, digits) = (place + 1, digits + 1)
    }
    guard digits > 0 else { throw Refusal(description: "no number at \(place)") }
    return value
  }
}
