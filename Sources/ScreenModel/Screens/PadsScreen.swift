// SPDX-License-Identifier: MIT
import FaceModel

/// The pads: short sounds beside the music, struck with the keys 1 to 9.
///
/// A struck pad lights up for a moment, before the agent has answered, so that the user sees the hit at once.
struct PadsScreen: Sendable {
  /// How long a struck pad is lit.
  static let glow = Duration.milliseconds(160)

  /// The rectangle of a pad on the screen.
  private struct Tile {
    let index: Int
    let row: Int
    let columns: Range<Int>
    /// Whether a second line of text fits into it.
    let isTall: Bool
  }

  private var pads: PadsFace?
  private var isAsked = false
  /// The times until which pads are lit, by their indices in the kit.
  private var lit: [Int: Duration] = [:]
  private var last = 0

  // MARK: What the agent says

  mutating func take(_ pads: PadsFace) {
    self.pads = pads
    last = min(last, max(0, pads.pads.count - 1))
  }

  /// Makes the screen ask for the pads again, because the user has come to it or another agent is there.
  mutating func forget() { isAsked = false }

  mutating func needs() -> [ScreenEffect] {
    defer { isAsked = true }
    return isAsked ? [] : [.needPads]
  }

  /// Why hits make no sound; nil if they do, or if that is not known yet.
  private var silence: String? {
    guard let pads, !pads.isEnabled else { return nil }
    return pads.reason ?? pads.why ?? "they do not sound now"
  }

  // MARK: Keys

  /// Strikes the pad at this index, counted from 0. Nil if the kit has no such pad. Whether it sounds is for the agent to decide.
  mutating func strike(_ index: Int, at time: Duration) -> ScreenEffect? {
    guard let pads, pads.pads.indices.contains(index) else { return nil }
    last = index
    if pads.isEnabled { lit[index] = time + Self.glow }
    return .hit(pads.pads[index].number)
  }

  /// When the next lit pad goes dark; nil if none is lit.
  var nextChange: Duration? { lit.values.min() }

  mutating func darken(at time: Duration) { lit = lit.filter { $0.value > time } }

  /// The index of the pad on this cell; nil if there is none.
  func index(atRow row: Int, column: Int, in area: Range<Int>, width: Int) -> Int? {
    tiles(in: area, width: width).first {
      $0.columns.contains(column) && (row == $0.row || $0.isTall && row == $0.row + 1)
    }?.index
  }

  // MARK: Drawing

  // At most three pads in a row, like the digits of a keypad, so that each is easily found; more if the kit has more than nine.
  private func tiles(in area: Range<Int>, width: Int) -> [Tile] {
    guard let pads, !pads.pads.isEmpty else { return [] }
    let count = pads.pads.count
    let most = count > 9 ? 5 : 3
    let across = max(1, min(most, (width - 2) / (width < 60 ? 12 : 24)))
    // On a terminal of two columns a pad has a width, but nothing of it is visible.
    let tile = max(1, (width - 2) / across)
    let head = area.count >= 8 ? 3 : silence == nil ? 1 : 2
    let first = min(area.lowerBound + head, area.upperBound)
    let lines = (count + across - 1) / across
    let isTall = lines * 3 <= area.upperBound - first
    return (0..<count).compactMap { index in
      let row = first + index / across * (isTall ? 3 : 1)
      let left = 1 + index % across * tile
      guard row < area.upperBound else { return nil }
      return Tile(index: index, row: row, columns: left..<left + tile - 1, isTall: isTall)
    }
  }

  func draw(_ frame: inout Frame, rows area: Range<Int>) {
    frame.cursor = (area.lowerBound, 0)
    guard let pads else { return frame.putMiddle([("The kit is not known yet.", .dim)], rows: area) }
    if pads.pads.isEmpty {
      frame.putMiddle(
        [("This kit has no pads.", .bold), (":pads load FOLDER  loads another", .dim)], rows: area)
    }
    let tiles = tiles(in: area, width: frame.size.columns)
    drawHead(pads, hidden: pads.pads.count - tiles.count, &frame, area)
    for tile in tiles { draw(pads.pads[tile.index], tile, &frame) }
  }

  private func drawHead(_ pads: PadsFace, hidden: Int, _ frame: inout Frame, _ area: Range<Int>) {
    let width = frame.size.columns
    let volume = pads.volume < 1 ? "pads at \(Self.percent(pads.volume))" : ""
    let right = hidden > 0 ? "\(hidden) more; :pads hit N" : volume
    let end = frame.putRight(right, at: area.lowerBound, endingAt: width - 1, from: width / 3, .dim)
    let name = frame.put(
      pads.kit.name.isEmpty ? "No kit" : pads.kit.name, at: area.lowerBound, 1, width: end - 3, .heading)
    if let folder = pads.kit.folder {
      frame.put(folder, at: area.lowerBound, name + 2, width: max(0, end - name - 4), .dim)
    }
    if let silence {
      frame.put("disabled: \(silence)", at: area.lowerBound + 1, 1, width: width - 2, .warning)
    }
  }

  private func draw(_ pad: PadFace, _ tile: Tile, _ frame: inout Frame) {
    let isLit = lit[tile.index] != nil
    let ink = Self.ink(pad.colour)
    let style = silence == nil ? CellStyle(.bold) : .dim
    let (row, left, width) = (tile.row, tile.columns.lowerBound, tile.columns.count)
    frame.put(isLit ? "▶" : "▌", at: row, left, width: 1, CellStyle(.bold, ink: ink))
    // Only the first nine pads have a key.
    frame.put("\(pad.number.rawValue)", at: row, left + 2, width: 3, tile.index < 9 ? .accent : .dim)
    frame.put(pad.name, at: row, left + 5, width: max(0, width - 6), style)
    if tile.isTall {
      frame.put("▌", at: row + 1, left, width: 1, CellStyle(ink: ink))
      frame.put(Self.details(pad), at: row + 1, left + 5, width: max(0, width - 6), .dim)
    }
    if tile.index == last { frame.cursor = (row, left) }
    guard isLit else { return }
    for line in row...(tile.isTall ? row + 1 : row) {
      frame.style(line, tile.columns) { _ in CellStyle([.bold, .reverse], ink: ink) }
    }
  }

  private static func details(_ pad: PadFace) -> String {
    var words: [String] = []
    if pad.volume < 1 { words.append(percent(pad.volume)) }
    if pad.polyphony > 1 { words.append("\(pad.polyphony) at a time") }
    if let choke = pad.choke { words.append("chokes \(choke)") }
    return words.joined(separator: ", ")
  }

  private static func percent(_ volume: Double) -> String {
    "\(volume.isFinite ? Int((min(max(0, volume), 1) * 100).rounded()) : 0) %"
  }

  /// The terminal's colour for the colour of a pad: a palette colour for a word such as `red`, or the exact colour for six digits.
  private static func ink(_ colour: String?) -> CellStyle.Ink {
    switch colour {
    case "red", "orange": .palette(1)
    case "green": .palette(2)
    case "yellow": .palette(3)
    case "blue": .palette(4)
    case "purple", "pink": .palette(5)
    case "cyan": .palette(6)
    case "white": .palette(7)
    case "grey": .palette(8)
    case let digits? where digits.utf8.count == 6:
      Int(digits, radix: 16).map {
        .rgb(
          UInt8(truncatingIfNeeded: $0 >> 16), UInt8(truncatingIfNeeded: $0 >> 8),
          UInt8(truncatingIfNeeded: $0)
        )
      } ?? .standard
    default: .standard
    }
  }

  var summary: (left: String, right: String) { ("", "1–9 strike, 0 stops all, Esc goes back") }
}
