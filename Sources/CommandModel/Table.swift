// SPDX-License-Identifier: MIT

/// Lays out rows in aligned columns.
///
/// If a width is given, the flexible columns shrink, the widest first. If that isn't enough, optional columns are
/// left out from the right, and last the ends of lines are cut. Without a width, as in a pipe, nothing is cut, and
/// one very wide cell does not make all rows equally wide.
package struct Table: Sendable {
  package struct Column: Sendable, Hashable {
    /// Whether the column's cells are aligned to the right.
    package let isRightAligned: Bool
    /// Whether the column shrinks if there isn't enough room.
    package let isFlexible: Bool
    /// Whether the column may be left out if there isn't enough room.
    package let isOptional: Bool

    package init(
      rightAligned: Bool = false, flexible: Bool = false, optional: Bool = false
    ) {
      isRightAligned = rightAligned
      isFlexible = flexible
      isOptional = optional
    }
  }

  // A flexible column doesn't shrink below this width.
  private static let narrowest = 8
  private static let gap = "  "

  // An optional column is left out before the other flexible columns have to shrink below this width.
  private static let comfortable = 16

  // An optional column that would be narrower than this is left out, because it would show too little.
  private static let narrowestOptional = 12

  // Without a width, flexible columns are padded to no more than this.
  private static let widestPadding = 80

  private let columns: [Column]
  private var rows: [[StyledText]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row. Traps if it doesn't have a cell for each column.
  package mutating func append(_ row: [StyledText]) {
    precondition(row.count == columns.count, "a row of \(row.count) cells in \(columns.count) columns")
    rows.append(row)
  }

  /// The rows as lines. If `width` is given, no line is wider.
  package func lines(width: Int? = nil) -> [StyledText] {
    let dispensable = width.flatMap(columnToLeaveOut)
    if let dispensable { return without(dispensable).lines(width: width) }
    let widths = columnWidths(limit: width)
    return rows.map { row in
      let line = self.line(row, widths, cuts: width != nil)
      return width.map { line.truncated(to: $0) } ?? line
    }
  }

  /// The last optional column, if the columns can't shrink enough to fit into `limit`; nil if they can, or if there is no optional column.
  private func columnToLeaveOut(of limit: Int) -> Int? {
    guard let last = columns.lastIndex(where: \.isOptional) else { return nil }
    let least = columns.indices.map { index in
      let width = rows.map { $0[index].width }.max() ?? 0
      let column = columns[index]
      return column.isFlexible
        ? min(width, column.isOptional ? Self.narrowestOptional : Self.comfortable) : width
    }
    return least.reduce(Self.gap.count * (columns.count - 1), +) > limit ? last : nil
  }

  private func without(_ column: Int) -> Table {
    var (columns, rows) = (columns, rows)
    columns.remove(at: column)
    for index in rows.indices { rows[index].remove(at: column) }
    var table = Table(columns)
    table.rows = rows
    return table
  }

  private func columnWidths(limit: Int?) -> [Int] {
    var widths = columns.indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
    guard let limit else {
      return zip(widths, columns).map { $1.isFlexible ? min($0, Self.widestPadding) : $0 }
    }
    let gaps = Self.gap.count * max(0, columns.count - 1)
    var excess = widths.reduce(gaps, +) - limit
    while excess > 0 {
      let candidates = columns.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      // Shrinks the widest column to the next widest in one step, so that a very long title doesn't take one step per letter.
      let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? Self.narrowest
      let step = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
      widths[widest] -= step
      excess -= step
    }
    return widths
  }

  private func line(_ row: [StyledText], _ widths: [Int], cuts: Bool) -> StyledText {
    var line = StyledText("")
    // Blanks are added before the next cell that has a text, so that no line ends in blanks.
    var blanks = 0
    for (index, cell) in row.enumerated() {
      let cell = cuts ? cell.truncated(to: widths[index]) : cell
      let missing = max(0, widths[index] - cell.width)
      let isRight = columns[index].isRightAligned
      if isRight { blanks += missing }
      if cell.width > 0 {
        line.append(blanks: blanks)
        line += cell
        blanks = 0
      }
      blanks += (isRight ? 0 : missing) + Self.gap.count
    }
    return line
  }
}
