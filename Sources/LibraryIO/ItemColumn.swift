// SPDX-License-Identifier: MIT
import SQLiteIO

/// The columns of an item's row that come from its file. The number of each is that of its parameter in the statements that write a row; parameter 1 is
/// the item's ID.
enum ItemColumn: Int32, CaseIterable {
  case size = 2
  case modified, inode, device, changed, fingerprint, state
  case title, isTitled, folded, key
  case album, artist, albumArtist, composer, genre, podcast, further
  case duration, track, trackCount, disc, discCount, date, dateBegin, year, bpm, comment, foldedComment
  case compilation, mediaType, rate, channels, kilobits, hasPicture
  case trackGain, trackPeak, albumGain, albumPeak
  case sheeted, partStart, partEnd, unnumberedKey

  /// The parameter behind those of all columns.
  static let next = size.rawValue + Int32(allCases.count)

  /// The name in the table: `trackCount` is `track_count`.
  var name: String {
    "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
  }
}

extension Statement {
  func bind(_ column: ItemColumn, _ number: (some BinaryInteger)?) throws(StoreError) {
    try bind(at: column.rawValue, number.map { Int64(clamping: $0) })
  }

  func bind(_ column: ItemColumn, real: (some BinaryFloatingPoint)?) throws(StoreError) {
    try bind(at: column.rawValue, real.map { Double($0) })
  }

  func bind(_ column: ItemColumn, text: String?) throws(StoreError) { try bind(at: column.rawValue, text) }

  func bind(_ column: ItemColumn, bytes: [UInt8]?) throws(StoreError) { try bind(at: column.rawValue, bytes) }

  func bind(_ column: ItemColumn, isTrue: Bool) throws(StoreError) {
    try bind(at: column.rawValue, isTrue ? 1 : 0 as Int64)
  }
}
