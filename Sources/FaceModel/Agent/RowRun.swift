// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// Entries that stand in rows one after the other, with identities one after the other: 100,000 that were
/// added at once are one.
package struct RowRun: Sendable, Hashable, WireConvertible {
  /// Where the first stands, counted from 1.
  package var row: Int
  /// The first.
  package var first: EntryID
  /// How many they are.
  package var count: Int

  /// `(utu)`
  package static var wireType: WireType { "(utu)" }

  /// The run as it travels.
  package var wireValue: WireValue {
    .structure([
      .uint32(UInt32(clamping: row)), .uint64(first.rawValue), .uint32(UInt32(clamping: count)),
    ])
  }

  /// A run that can be: in a row that there is, and of identities that there are.
  package init?(wire: WireValue) {
    guard case .structure(let fields) = wire,
      let (row, first, count) = try? fields.decoded(as: UInt32.self, UInt64.self, UInt32.self),
      row > 0, count > 0, !first.addingReportingOverflow(UInt64(count)).overflow
    else { return nil }
    self.init(row: Int(row), first: EntryID(rawValue: first), count: Int(count))
  }

  init(row: Int, first: EntryID, count: Int) {
    self.row = row
    self.first = first
    self.count = count
  }

  /// The entries themselves.
  package var entries: some RandomAccessCollection<EntryID> {
    (0..<UInt64(count)).lazy.map { EntryID(rawValue: first.rawValue + $0) }
  }

  /// The runs of entries at these positions, in order.
  static func runs(of entries: [Entry], at positions: RangeSet<Int>) -> [RowRun] {
    var runs: [RowRun] = []
    for (entry, position) in zip(entries, positions.ranges.joined()) {
      if let last = runs.last, last.continues(with: entry.id, at: position + 1) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(RowRun(row: position + 1, first: entry.id, count: 1))
      }
    }
    return runs
  }

  private func continues(with entry: EntryID, at row: Int) -> Bool {
    row == self.row + count && entry.rawValue == first.rawValue &+ UInt64(count)
  }
}
