// SPDX-License-Identifier: MIT
import PictureModel
@testable import ScreenModel

/// The pictures of a terminal that has one of the protocols: which it knows, and where they are. It refuses every command that the painter
/// has no business to send, and every one that some terminal would take amiss.
struct ReferencePictures {
  typealias Refusal = ReferenceTerminal.Refusal

  /// Where a picture lies, or how many cells stand for it, from the first row and column of all cells on.
  private struct Area: Hashable {
    var row = 0
    var column = 0
    let columns: Int
    let rows: Int
  }

  private let graphics: Graphics?
  private let size: ScreenSize
  /// The files that the terminal keeps.
  private(set) var files: [UInt32: [UInt8]] = [:]
  /// How often it was given one.
  private(set) var transmissions = 0
  /// The picture of which only a part has come.
  private var half: (number: UInt32, text: String)?
  private var areas: [UInt32: Area] = [:]
  /// What cells have as content: a file, and the area of all of it.
  private var contents: [Int: (file: [UInt8], area: Area)] = [:]

  init(_ graphics: Graphics?, _ size: ScreenSize) { (self.graphics, self.size) = (graphics, size) }

  /// The number of the picture that cells stand for; nil if the terminal's cells don't.
  var standsNumber: UInt32? { if case .placeholders(let number) = graphics { number } else { nil } }

  /// How cells of a picture look.
  var cellStyle: CellStyle {
    guard let number = standsNumber else { return .plain }
    func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    return CellStyle(ink: .rgb(byte(16), byte(8), byte(0)))
  }

  private var number: UInt32? {
    switch graphics {
    case .placeholders(let number), .placement(let number): number
    case .inline, .sixel, nil: nil
    }
  }

  func expectWhole() throws { if half != nil { throw Refusal(description: "a picture has no end") } }

  /// Something was written into these cells, or they were erased.
  mutating func write(row: Int, _ columns: Range<Int>) {
    for column in columns { contents[row * size.columns + column] = nil }
  }

  /// All cells were erased. A picture that lies over cells goes with them, and those are kept for which cells stand.
  mutating func clear() {
    contents = [:]
    if standsNumber == nil { areas = [:] }
  }

  // MARK: Kitty's protocol

  mutating func command(_ text: String, at row: Int, _ column: Int) throws {
    guard text.first == "G", let own = number else { throw Refusal(description: "a command in a string") }
    let parts = text.dropFirst().split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in parts[0].split(separator: ",") {
      let words = pair.split(separator: "=")
      guard words.count == 2, keys.updateValue(String(words[1]), forKey: String(words[0])) == nil else {
        throw Refusal(description: "keys '\(parts[0])'")
      }
    }
    guard keys["q"] == "2" else { throw Refusal(description: "a command that is answered") }
    if let number = keys["i"], number != "\(own)" { throw Refusal(description: "the picture of another") }
    let payload = parts.count > 1 ? String(parts[1]) : ""
    switch (keys["a"], half) {
    case ("t", nil): try begin(keys, payload, own)
    case (nil, let half?): try goOn(keys, half.number, half.text + payload, payload)
    // An end for what may have been begun: in vain.
    case (nil, nil) where keys == ["q": "2", "m": "0"] && payload.isEmpty: break
    case ("p", nil): try show(keys, own, row, column)
    case ("d", nil) where keys == ["a": "d", "d": "I", "i": "\(own)", "q": "2"]:
      (files[own], areas[own]) = (nil, nil)
    default: throw Refusal(description: "keys '\(parts[0])'")
    }
  }

  private mutating func begin(_ keys: [String: String], _ payload: String, _ number: UInt32) throws {
    var rest = keys
    let expected = ["a": "t", "t": "d", "f": "100", "i": "\(number)", "q": "2"]
    let more = rest.removeValue(forKey: "m")
    guard rest == expected, files[number] == nil else { throw Refusal(description: "a picture over another") }
    transmissions += 1
    try goOn(["m": more ?? ""], number, payload, payload)
  }

  private mutating func goOn(_ keys: [String: String], _ number: UInt32, _ text: String, _ piece: String)
    throws
  {
    guard piece.utf8.count <= 4_096, piece.utf8.count % 4 == 0, let more = keys["m"],
      more == "0" || more == "1",
      keys["a"] == nil
    else { throw Refusal(description: "a piece of \(piece.utf8.count)") }
    half = more == "1" ? (number, text) : nil
    // What was abandoned has too few pixels, and is dropped.
    if more == "0", let file = Self.bytes(ofBase64: text), isWhole(file) { files[number] = file }
  }

  private func isWhole(_ file: [UInt8]) -> Bool { file.suffix(8).starts(with: Array("IEND".utf8)) }

  private mutating func show(_ keys: [String: String], _ number: UInt32, _ row: Int, _ column: Int) throws {
    guard files[number] != nil, areas[number] == nil, let columns = keys["c"].flatMap({ Int($0) }),
      let rows = keys["r"].flatMap({ Int($0) })
    else { throw Refusal(description: "shows what is not there, or twice") }
    if standsNumber != nil {
      guard keys["U"] == "1", keys.count == 6 else { throw Refusal(description: "no placeholders") }
      areas[number] = Area(columns: columns, rows: rows)
    } else {
      guard keys["C"] == "1", keys["p"] == "1", keys.count == 7 else { throw Refusal(description: "moves") }
      areas[number] = Area(row: row, column: column, columns: columns, rows: rows)
    }
  }

  // MARK: iTerm2's protocol

  mutating func file(_ text: String, at row: Int, _ column: Int) throws {
    let head = "1337;File="
    guard graphics == .inline, text.hasPrefix(head) else {
      throw Refusal(description: "a command in a string")
    }
    let parts = text.dropFirst(head.count).split(separator: ":", maxSplits: 1)
    var keys: [String: Int] = [:]
    for pair in parts[0].split(separator: ";") {
      let words = pair.split(separator: "=")
      keys[String(words[0])] = words.count == 2 ? Int(words[1]) : nil
    }
    guard parts.count == 2, let file = Self.bytes(ofBase64: String(parts[1])), keys["size"] == file.count,
      keys["inline"] == 1, keys["preserveAspectRatio"] == 1, keys["doNotMoveCursor"] == 1,
      let columns = keys["width"], let rows = keys["height"], keys.count == 6
    else { throw Refusal(description: "file '\(parts[0])'") }
    transmissions += 1
    let area = Area(row: row, column: column, columns: columns, rows: rows)
    for y in row..<row + rows {
      for x in column..<column + columns { contents[y * size.columns + x] = (file, area) }
    }
  }

  // MARK: Sixel

  /// How many pixels a cell of a terminal with sixel has.
  static let cell = (width: 10, height: 20)

  mutating func sixel(_ text: String, at row: Int, _ column: Int) throws {
    guard case .sixel(let most) = graphics else { throw Refusal(description: "a command in a string") }
    let picture = try ReferenceSixel(text)
    let columns = (picture.width + Self.cell.width - 1) / Self.cell.width
    let rows = (picture.fullHeight + Self.cell.height - 1) / Self.cell.height
    guard picture.colours.count <= most, row + rows <= size.rows, column + columns <= size.columns else {
      throw Refusal(description: "too many colours, or the terminal scrolls")
    }
    transmissions += 1
    let area = Area(row: row, column: column, columns: columns, rows: rows)
    let bytes = Array("\u{1B}P\(text)\u{1B}\\".utf8)
    for y in row..<row + rows {
      for x in column..<column + columns { contents[y * size.columns + x] = (bytes, area) }
    }
  }

  // MARK: What is seen

  /// What differs from a frame's picture; nil if exactly that is there and nothing is left of another.
  func difference(from picture: PlacedPicture?) -> String? {
    guard let graphics else { return picture == nil ? nil : "a picture that cannot be shown" }
    let area = picture.map {
      Area(row: $0.row, column: $0.column, columns: $0.columns, rows: $0.rows)
    }
    switch graphics {
    case .placeholders(let number):
      let wanted = picture.map { [number: Area(columns: $0.columns, rows: $0.rows)] } ?? [:]
      if areas != wanted { return "cells stand for \(areas) instead of \(wanted)" }
    case .placement(let number):
      let wanted = area.map { [number: $0] } ?? [:]
      if areas != wanted { return "over the cells are \(areas) instead of \(wanted)" }
    case .inline, .sixel: return difference(of: picture, area)
    }
    let wanted = number.flatMap { number in picture.map { [number: $0.content.bytes] } } ?? [:]
    return files == wanted ? nil : "\(files.count) files instead of \(wanted.count), or another"
  }

  private func difference(of picture: PlacedPicture?, _ area: Area?) -> String? {
    guard contents.count == (area.map { $0.rows * $0.columns } ?? 0) else {
      return "\(contents.count) cells have a picture instead of \(String(describing: area))"
    }
    let isRight = contents.values.allSatisfy { $0.area == area && $0.file == picture?.content.bytes }
    return isRight ? nil : "a picture elsewhere, or another"
  }

  private static let values: [UInt8?] = {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  private static func bytes(ofBase64 text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (number, bits) = (UInt32(0), 0)
    for letter in text.utf8 where letter != UInt8(ascii: "=") {
      guard let value = values[Int(letter)] else { return nil }
      (number, bits) = (number << 6 | UInt32(value), bits + 6)
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(bits)))
    }
    return bytes
  }
}

extension PlacedPicture.Content {
  var bytes: [UInt8] {
    switch self {
    case .file(let file): file.bytes
    case .sixel(let picture): picture.bytes
    }
  }

  var width: Int {
    switch self {
    case .file(let file): file.width
    case .sixel(let picture): picture.width
    }
  }
}
