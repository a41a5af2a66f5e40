// SPDX-License-Identifier: MIT
import CLinux
import LibraryQuery
import MediaModel
import SQLiteIO

/// A set of items, such as those that a search has found, with one bit for each ID.
struct FoundSet {
  private(set) var count = 0
  private var words: [UInt64] = []

  func contains(_ id: Int64) -> Bool {
    guard id >= 0, id >> 6 < words.count else { return false }
    return words[Int(id >> 6)] >> UInt64(id & 63) & 1 == 1
  }

  mutating func insert(_ id: Int64) {
    guard id >= 0, !contains(id) else { return }
    let word = Int(id >> 6)
    if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
    words[word] |= 1 << UInt64(id & 63)
    count += 1
  }

  /// The items of the set for which `isKept` returns true.
  func filter(_ isKept: (Int64) -> Bool) -> FoundSet {
    var kept = FoundSet()
    for id in ids where isKept(id) { kept.insert(id) }
    return kept
  }

  /// All IDs of the set, in order.
  var ids: [Int64] {
    var ids: [Int64] = []
    for (index, word) in words.enumerated() where word != 0 {
      for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 { ids.append(Int64(index * 64 + bit)) }
    }
    return ids
  }
}

/// The folded texts of all visible items, many in one row, so that a search goes through them as one piece of memory.
///
/// A row holds the texts of up to 512 items with successive IDs. It has the number of items in two bytes; then for each item its place in the row's
/// range of IDs in two bytes and the end of its text in four; then the texts, each ending with a line feed. Numbers have their low byte first.
///
/// Belongs to the store's thread.
final class SearchTable {
  private let database: Database
  private let readAll: Statement
  private let read: Statement
  private let write: Statement
  private let drop: Statement
  /// Whether a row of the table was found to be damaged.
  private(set) var isDamaged = false
  /// The search texts that are not written yet, by the number of the row and the item's place in it; an empty text removes the item.
  private var changes: [Int64: [Int: [UInt8]]] = [:]

  init(_ database: Database) throws(StoreError) {
    self.database = database
    readAll = try database.prepare("SELECT block, bytes FROM search ORDER BY block")
    read = try database.prepare("SELECT bytes FROM search WHERE block = ?1")
    write = try database.prepare("REPLACE INTO search VALUES (?1, ?2)")
    drop = try database.prepare("DELETE FROM search WHERE block = ?1")
  }

  // MARK: Writing

  func set(_ id: Int64, _ text: [UInt8]) {
    changes[id / LibraryTables.blockSize, default: [:]][Int(id % LibraryTables.blockSize)] = text
  }

  func remove(_ id: Int64) { set(id, []) }

  /// Writes the search texts that are not written yet. Call it inside the transaction in which the items are written.
  func flush() throws(StoreError) {
    for (block, changed) in changes { try rewrite(block, changed) }
    changes = [:]
  }

  /// Drops the search texts that are not written yet, because the transaction failed.
  func forget() { changes = [:] }

  /// Removes the search texts of all items, damaged ones too.
  func clear() throws(StoreError) {
    try database.run("DELETE FROM search")
    (changes, isDamaged) = ([:], false)
  }

  private func rewrite(_ block: Int64, _ changed: [Int: [UInt8]]) throws(StoreError) {
    try read.bind(block)
    var texts: [Int: [UInt8]] = [:]
    if try read.step() {
      let bytes = read.bytes(0)
      read.reset()
      guard let old = Self.texts(of: bytes) else { throw damage() }
      texts = old
    }
    texts.merge(changed) { _, new in new }
    let kept = texts.filter { !$0.value.isEmpty }
    if kept.isEmpty {
      try drop.bind(block)
      return try drop.run()
    }
    try write.run(block, Self.encode(kept))
  }

  private func damage() -> StoreError {
    isDamaged = true
    return .damage(in: database.path, "the texts for the search contradict each other")
  }

  /// A row whose texts an older version folded, with the texts of today; a damaged row as it is.
  static func joined(_ row: [UInt8]) -> [UInt8] {
    texts(of: row).map { encode($0.mapValues { LetterParts.joined($0) }) } ?? row
  }

  static func encode(_ texts: [Int: [UInt8]]) -> [UInt8] {
    let sorted = texts.sorted { $0.key < $1.key }
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var head = bytes(sorted.count, 2)
    var content: [UInt8] = []
    for (place, text) in sorted {
      content += text
      head += bytes(place, 2) + bytes(content.count, 4)
    }
    return head + content
  }

  /// The search texts of a row, by the items' places in it; nil if the row is damaged.
  static func texts(of bytes: [UInt8]) -> [Int: [UInt8]]? {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let row = unsafe SearchRow(buffer) else { return nil }
      var texts: [Int: [UInt8]] = [:]
      var start = 0
      for index in 0..<row.count {
        let end = row.end(index)
        guard end >= start, end <= row.length else { return nil }
        texts[row.place(index)] = unsafe Array(buffer[(row.head + start)..<(row.head + end)])
        start = end
      }
      return texts
    }
  }

  // MARK: Searching

  /// The highest number of a row of the table; no library has more items. A higher number comes from a damaged file, and would take too much memory.
  private static let lastBlock: Int64 = 1 << 20

  /// Finds the items whose texts have every one of these words. Blocks. With `among`, only these items are looked at. Calls `isInterrupted` at each
  /// row, and throws if that returns true.
  func find(
    _ words: [[UInt8]], among: FoundSet? = nil, isInterrupted: (() -> Bool)?
  ) throws(StoreError) -> FoundSet {
    // The longest word is usually the rarest. So it is looked for first, and the others only in its hits.
    let needles = words.sorted { $0.count > $1.count }
    var found = FoundSet()
    while try readAll.step() {
      if isInterrupted?() == true {
        readAll.reset()
        throw .interrupted(database.path)
      }
      let block = readAll.number(0)
      let isSound = unsafe readAll.withBytes(1) { buffer in
        guard (0...Self.lastBlock).contains(block), let row = unsafe SearchRow(buffer) else { return false }
        let first = block * LibraryTables.blockSize
        var isSound = true
        let take = { (place: Int) in
          isSound = isSound && place < Int(LibraryTables.blockSize)
          if isSound { found.insert(first + Int64(place)) }
        }
        if let among {
          row.find(needles, among: { among.contains(first + Int64($0)) }, take)
        } else {
          row.find(needles, take)
        }
        return isSound
      }
      if !isSound {
        readAll.reset()
        throw damage()
      }
    }
    return found
  }
}

/// One row of the table, in SQLite's memory. Valid only during the call that was given the bytes.
@safe
private struct SearchRow {
  private let bytes: UnsafeRawBufferPointer
  let count: Int
  /// The offset at which the texts begin.
  let head: Int

  /// Reads the header of a row. Nil if there are fewer bytes than it states.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    unsafe self.bytes = bytes
    count = unsafe Int(bytes[0]) | Int(bytes[1]) << 8
    head = 2 + 6 * count
    guard head <= bytes.count else { return nil }
  }

  /// The bytes of all texts together.
  var length: Int { unsafe bytes.count - head }

  func place(_ index: Int) -> Int { number(2 + 6 * index, 2) }
  func end(_ index: Int) -> Int { number(4 + 6 * index, 4) }

  private func number(_ at: Int, _ count: Int) -> Int {
    var number = 0
    for index in 0..<count { number |= unsafe Int(bytes[at + index]) << (index * 8) }
    return number
  }

  /// Calls `body` with the place in this row of each item whose text has all of the words.
  func find(_ needles: [[UInt8]], _ body: (Int) -> Void) {
    guard let first = needles.first else { return }
    var index = 0
    var from = 0
    while let hit = find(first, from, length) {
      while index < count, end(index) <= hit { index += 1 }
      guard index < count else { return }
      let (start, end) = (index == 0 ? 0 : end(index - 1), end(index))
      // If the ends of the texts do not ascend, the row is damaged.
      guard start <= hit, end <= length else { return }
      if needles.dropFirst().allSatisfy({ find($0, start, end) != nil }) { body(place(index)) }
      from = end
    }
  }

  /// The same, but looks only at items of which `isCandidate` is true.
  func find(_ needles: [[UInt8]], among isCandidate: (Int) -> Bool, _ body: (Int) -> Void) {
    var start = 0
    for index in 0..<count {
      let end = end(index)
      // If the ends of the texts do not ascend, the row is damaged.
      guard start <= end, end <= length else { return }
      let place = place(index)
      if isCandidate(place), needles.allSatisfy({ find($0, start, end) != nil }) { body(place) }
      start = end
    }
  }

  /// Where the bytes first occur between two offsets of the row's texts; nil if they don't.
  private func find(_ needle: [UInt8], _ start: Int, _ end: Int) -> Int? {
    guard start < end else { return nil }
    return unsafe needle.withUnsafeBytes { needle -> Int? in
      guard let base = unsafe bytes.baseAddress else { return nil }
      // An empty text is found everywhere. (glibc requires from 2.37 on that the searched bytes are never null.)
      guard let wanted = needle.baseAddress else { return start }
      let texts = unsafe base + head
      guard let hit = unsafe memmem(texts + start, end - start, wanted, needle.count) else { return nil }
      return unsafe UnsafeRawPointer(hit) - texts
    }
  }
}
