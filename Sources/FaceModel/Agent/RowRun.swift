// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// Entries in consecutive rows whose identities are consecutive too. So 100,000 entries that were added at once make one run.
package struct RowRun: Sendable, Hashable, WireConvertible {
  /// The row of the first entry, counted from 1.
  package var row: Int
  /// The identity of the first entry.
  package var first: EntryID
  /// How many entries there are.
  package var count: Int

  /// `(utu)`
  package static var wireType: WireType { "(utu)" }

  /// The run as a message carries it.
  package var wireValue: WireValue {
    .structure([
      .uint32(UInt32(clamping: row)), .uint64(first.rawValue), .uint32(UInt32(clamping: count)),
    ])
  }

  /// Reads a run; nil if its row or count is 0, or if its identities would exceed 64 bits.
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

  /// The identities of all entries.
  package var entries: some RandomAccessCollection<EntryID> {
    (0..<UInt64(count)).lazy.map { EntryID(rawValue: first.rawValue + $0) }
  }

  /// Groups entries at these positions, which count from 0, into runs, in order.
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
