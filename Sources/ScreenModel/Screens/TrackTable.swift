// SPDX-License-Identifier: MIT
import CommandModel

/// The columns of a list of tracks: which ones fit, and how wide they are.
struct TrackTable {
  /// How to draw a row.
  struct Look {
    var sign = " "
    var number: Int?
    var isChosen = false
    var isMarked = false
    /// Whether the row's track is the one that plays, or would play.
    var isCurrent = false
    /// Whether keys go to this list.
    var isActive = true
  }

  private let left: Int
  private let width: Int
  private let number: Int
  private let title: Int
  private let artist: Int
  private let album: Int
  private static let time = 7

  /// A table of this width that begins in column `left`. `digits` is the width for row numbers, 0 for none.
  init(left: Int = 0, width: Int, digits: Int, showsAlbum: Bool = true) {
    (self.left, self.width) = (left, width)
    number = digits == 0 ? 0 : digits + 2
    let rest = max(4, width - 3 - number - Self.time - 1)
    if width < 60 {
      (title, artist, album) = (rest, 0, 0)
    } else if width < 72 || !showsAlbum {
      artist = rest * 2 / 5
      title = rest - artist
      album = 0
    } else {
      album = rest * 29 / 100
      artist = rest * 27 / 100
      title = rest - artist - album
    }
  }

  /// Draws the names of the columns.
  func head(_ frame: inout Frame, _ row: Int) {
    var column = left + 3
    let style = CellStyle(.dim)
    if number > 0 {
      frame.put("#", at: row, column + number - 3, style)
      column += number
    }
    frame.put("Title", at: row, column, width: title, style)
    if artist > 0 { frame.put("Artist", at: row, column + title, width: artist, style) }
    if album > 0 { frame.put("Album", at: row, column + title + artist, width: album, style) }
    frame.put("Time", at: row, left + width - 5, width: 4, style)
  }

  /// Draws a track; nil draws a row that has not been read yet.
  func show(_ track: TrackRow?, _ look: Look, _ frame: inout Frame, _ row: Int) {
    let style: CellStyle = look.isCurrent ? .playing : track?.trouble != nil ? .dim : .plain
    let quiet: CellStyle = look.isCurrent ? .playing : .dim
    frame.put(look.sign, at: row, left + 1, width: 1, look.isCurrent ? .playing : .plain)
    if look.isMarked { frame.put("▌", at: row, left + 2, width: 1, .mark) }
    var column = left + 3
    if let index = look.number, number > 0 {
      let text = "\(index)"
      frame.put(
        text, at: row, column + number - 2 - text.count, width: text.count, look.isCurrent ? .playing : .dim)
      column += number
    }
    if let track {
      let name = track.trouble.map { "\(track.title) (\($0))" } ?? track.title
      if artist == 0, !track.artist.isEmpty {
        let end = frame.put(name, at: row, column, width: title - 1, style)
        frame.put(" · \(track.artist)", at: row, end, width: max(0, column + title - 1 - end), quiet)
      } else {
        frame.put(name, at: row, column, width: title - 1, style)
      }
      frame.put(track.artist, at: row, column + title, width: max(0, artist - 1), style)
      frame.put(track.album, at: row, column + title + artist, width: max(0, album - 1), quiet)
      let time = track.duration.map(ClockText.text) ?? "–"
      frame.put(time, at: row, left + width - 1 - time.count, width: time.count, quiet)
    } else {
      frame.put("…", at: row, column, .dim)
    }
    guard look.isChosen else { return }
    let columns = left..<left + width
    guard look.isActive else { return frame.style(row, columns) { $0.adding(.underline) } }
    frame.choose(row, columns, ink: look.isCurrent ? CellStyle.playing.ink : .standard)
  }
}

extension Frame {
  /// Puts a text so that it ends before `column`, and returns where it begins. A long text is cut, so that the columns before `from` stay free.
  @discardableResult
  mutating func putRight(
    _ text: String, at row: Int, endingAt column: Int, from least: Int = 0, _ style: CellStyle = .plain
  ) -> Int {
    let plain = TerminalText.printable(text)
    let width = min(TerminalText.width(plain), max(0, column - least))
    let start = column - width
    put(plain, at: row, start, width: width, style)
    return start
  }

  /// Puts a few lines into the middle of some rows, for a list that is empty.
  mutating func putMiddle(_ lines: [(String, CellStyle)], rows: Range<Int>) {
    let first = rows.lowerBound + max(0, (rows.count - lines.count) / 2)
    for (offset, line) in lines.enumerated() where rows.contains(first + offset) {
      let width = min(TerminalText.width(TerminalText.printable(line.0)), size.columns - 2)
      put(line.0, at: first + offset, max(1, (size.columns - width) / 2), width: size.columns - 2, line.1)
    }
  }
}

/// Draws a bar in steps of half a column.
enum Bar {
  static func put(
    _ fraction: Double, _ frame: inout Frame, _ row: Int, _ columns: Range<Int>, _ style: CellStyle
  ) {
    guard columns.count > 0 else { return }
    let safe = fraction.isFinite ? min(max(fraction, 0), 1) : 0
    let halves = Int((safe * Double(columns.count * 2)).rounded(.down))
    let middle = columns.lowerBound + halves / 2
    frame.fill(row, columns.lowerBound..<middle, Cell("━", style))
    frame.fill(row, middle..<columns.upperBound, Cell("─", .dim))
    if halves % 2 == 1 { frame.put(Cell("╸", style), at: row, middle) }
  }
}
