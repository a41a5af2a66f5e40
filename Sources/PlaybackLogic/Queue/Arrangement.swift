// SPDX-License-Identifier: MIT

/// Rows of the queue's list whose entries change places with each other, as sorting does. All other rows stay as they are.
///
/// It holds four bytes for each row instead of the entries themselves, so an undo log can keep many of them.
package struct Arrangement: Sendable, Hashable {
  /// The rows that exchange their entries, as runs in ascending order. They count from 0. Not a `RangeSet`: iterating over one takes ten times as
  /// long, and rows that a user marked may make fifty thousand runs.
  let rows: [Range<Int>]
  /// For each row of `rows`, from the top down, the number of the row that its new entry comes from. The topmost of `rows` is
  /// number 0. Each number occurs once.
  package let origins: [UInt32]
  /// What the rows were sorted by, in the words of the command line. It is kept so that undo can say what it took back.
  package let order: String

  /// The longest text that `order` may have, in bytes of UTF-8. Instead of a longer one the empty text is kept.
  static let longestOrder = 200

  /// An arrangement of these rows. It is not checked; `fits` tells whether it is valid for a list.
  init(rows: [Range<Int>], origins: [UInt32], order: String) {
    (self.rows, self.origins) = (rows, origins)
    self.order = order.utf8.count <= Self.longestOrder ? order : ""
  }

  /// How many of the rows have another entry afterwards.
  package var movedRows: Int { zip(origins, 0...).count { $0 != $1 } }
  /// Whether every entry stays where it is.
  var isNothing: Bool { zip(origins, 0...).allSatisfy { $0 == $1 } }

  /// Whether a list of `count` rows has all these rows, and `origins` names each of them once.
  func fits(_ count: Int) -> Bool {
    var (next, size) = (0, 0)
    for run in rows {
      guard run.lowerBound >= next else { return false }
      next = run.upperBound
      size += run.count
    }
    guard next <= count, size == origins.count else { return false }
    var seen = Array(repeating: false, count: origins.count)
    for origin in origins {
      guard origin < UInt32(clamping: seen.count), !seen[Int(origin)] else { return false }
      seen[Int(origin)] = true
    }
    return true
  }

  /// The arrangement that undoes this one.
  package var inverse: Arrangement {
    var back = origins
    for (place, origin) in origins.enumerated() { back[Int(origin)] = UInt32(place) }
    return Arrangement(rows: rows, origins: back, order: order)
  }

  /// Puts `entries`, which are those of `rows` from the top down, into their new order.
  func arranged<Row>(_ entries: [Row]) -> [Row] { origins.map { entries[Int($0)] } }

  /// Puts the elements of a list into the new order. The list must be as long as the queue.
  func apply<Row>(to list: inout [Row]) {
    let new = arranged(rows.flatMap { list[$0] })
    for (row, entry) in zip(rows.joined(), new) { list[row] = entry }
  }
}

// MARK: Bytes

extension ByteWriter {
  mutating func put(_ arrangement: Arrangement) {
    put(arrangement.rows) { $0.put($1) }
    put(arrangement.origins) { $0.put(UInt64($1)) }
    put(arrangement.order.utf8)
  }
}

extension ByteReader {
  mutating func arrangement() throws(Malformed) -> Arrangement {
    let rows = try runs()
    let origins = try array { reader throws(Malformed) in try reader.uint32() }
    return Arrangement(rows: rows, origins: origins, order: String(decoding: try text(), as: UTF8.self))
  }
}
