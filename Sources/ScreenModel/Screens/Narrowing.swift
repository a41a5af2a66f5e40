// SPDX-License-Identifier: MIT
import FaceModel
import MediaModel

/// The rows of a list in which all typed words are found, updated with each letter.
///
/// The whole list has to be searched, so it is read once, page by page, and kept in a short form. While there are no words it rests: nothing is read
/// and nothing found.
struct Narrowing: Sendable {
  private static let page = 500
  var words: String { didSet { if words != oldValue { match(0..<all.count) } } }
  /// The rows in which the words are found, in order.
  private(set) var matches: [Int] = []
  /// The rows before this one have been read.
  private var scanned = 0
  /// The length of the whole list; nil if not known yet.
  private var total: Int?
  /// The number of the question that is under way.
  private var asked: Int?
  /// How many answers in a row brought no tags.
  private var vain = 0
  /// Whether tags did not come although they were waited for, so that those of later pages are not waited for.
  private var isImpatient = false
  /// The rows as far as they are known; nil for one that has to be read yet.
  private var all: [TrackRow?] = []
  /// What is looked at in each of these rows.
  private var texts: [[UInt8]] = []

  init(_ words: String) { self.words = words }

  /// Whether the whole list has been read.
  var isWhole: Bool { total.map { scanned >= $0 } ?? false }

  /// Whether the list has been read up to this row, so that it is known which rows before it have the words.
  func hasRead(_ row: Int) -> Bool { scanned > row || isWhole }

  func track(_ row: Int) -> TrackRow? { all.indices.contains(row) ? all[row] : nil }

  /// The index among the matches of this row, or of the next one that is among them.
  func index(from row: Int) -> Int {
    var (low, high) = (0, matches.count)
    while low < high {
      let middle = (low + high) / 2
      if matches[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The next rows to read, as the question of this number; nil if all have been read, or if some are being read.
  mutating func need(_ number: Int) -> Range<Int>? {
    guard asked == nil, total.map({ scanned < $0 }) ?? true else { return nil }
    asked = number
    return scanned..<scanned + Self.page
  }

  /// Takes rows. Returns false if they are not those that were asked for last.
  mutating func take(_ new: [TrackRow], total: Int, _ ticket: QueueTicket) -> Bool {
    guard ticket.number == asked else { return false }
    asked = nil
    let first = scanned
    self.total = new.isEmpty ? first : total
    replace(first..<min(first + new.count, all.count), with: new)
    match(first..<first + new.count)
    // The list has become shorter.
    let end = new.isEmpty ? first : max(first + new.count, total)
    if all.count > end {
      matches.removeSubrange(index(from: end)...)
      replace(end..<all.count, with: [])
    }
    scanned = first + (firstToReadAgain(among: new) ?? new.count)
    return true
  }

  /// The index of the row with which the next page has to begin, because its tags had not been read; nil if all were, or if they do not come, and
  /// the page is searched by the names of its files.
  private mutating func firstToReadAgain(among new: [TrackRow]) -> Int? {
    let unread = new.firstIndex(where: \.isUnread)
    vain = unread == 0 ? vain + 1 : 0
    guard vain >= (isImpatient ? 1 : UnreadRows.mostInVain) else { return unread }
    (vain, isImpatient) = (0, true)
    return nil
  }

  /// Clears the words. What was asked for is not waited for, and rows whose tags had not been read are asked for again with the next words.
  mutating func rest() {
    (words, asked, vain, isImpatient) = ("", nil, 0, false)
    scanned = min(scanned, all.firstIndex { $0?.isUnread ?? true } ?? scanned)
  }

  /// Lets rows be asked for again if the agent did not answer the question with this number, and no later one was asked.
  mutating func askAgain(_ number: Int) { if number == asked { asked = nil } }

  private mutating func replace(_ rows: Range<Int>, with new: [TrackRow]) {
    all.replaceSubrange(rows, with: new)
    texts.replaceSubrange(rows, with: new.map(Self.text))
  }

  private static func text(_ row: TrackRow) -> [UInt8] {
    SearchText.folded("\(row.title)\n\(row.artist)\n\(row.album)")
  }

  /// Takes what is known anew about items, such as tags that have been read.
  mutating func take(_ items: [ItemFace]) {
    let new = Dictionary(
      items.compactMap { face in face.entry.map { ($0, TrackRow(face)) } }, uniquingKeysWith: { $1 })
    for row in all.indices {
      guard let entry = all[row]?.entry, let track = new[entry] else { continue }
      (all[row], texts[row]) = (track, Self.text(track))
    }
    match(0..<all.count)
  }

  /// Moves the rows as an edit of the list has moved them, and reads those that have come. After an edit of which nothing is known all are read.
  mutating func take(_ shifts: RowShifts?, length: Int) {
    (total, asked) = (length, nil)
    guard let shifts else {
      (all, texts, matches, scanned) = ([], [], [], 0)
      return
    }
    let (oldRows, oldTexts, oldScanned) = (all, texts, scanned)
    let kept = shifts.runs.map { ($0.rows.clamped(to: 0..<oldRows.count), $0.distance) }
      .filter { !$0.0.isEmpty }
    let count = min(length, QueueNews.longest, kept.map { $0.0.upperBound + $0.1 }.max() ?? 0)
    matches = []
    all = Array(repeating: nil, count: count)
    texts = Array(repeating: [], count: count)
    scanned = count
    for (rows, distance) in kept {
      for row in rows where row + distance < count {
        (all[row + distance], texts[row + distance]) = (oldRows[row], oldTexts[row])
        // It was still to be read, and may have been moved before rows that have been.
        if row >= oldScanned { scanned = min(scanned, row + distance) }
      }
    }
    scanned = min(scanned, all.firstIndex { $0 == nil } ?? count)
    match(0..<count)
  }

  /// Reads the list again, because it may have changed. The rows are shown until then.
  mutating func readAgain() { (scanned, total, asked) = (0, nil, nil) }

  /// Looks for the words in these rows, and leaves the other matches as they are.
  private mutating func match(_ rows: Range<Int>) {
    let wanted = SearchText.words(words)
    guard !words.isEmpty else { return matches = [] }
    let found = rows.filter { row in wanted.allSatisfy { SearchText.contains(texts[row], $0) } }
    matches.replaceSubrange(index(from: rows.lowerBound)..<index(from: rows.upperBound), with: found)
  }
}

/// Makes text comparable while somebody types, by the rules of the library's own search, so that the same words find the same everywhere.
enum SearchText {
  static func folded(_ text: String) -> [UInt8] { TextFolding.bytes(text) }

  static func words(_ text: String) -> [[UInt8]] { TextFolding.words(text).map { Array($0.utf8) } }

  static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    guard text.count >= word.count else { return false }
    var place = 0
    let last = text.count - word.count
    while place <= last {
      if text[place] == first, text[place..<place + word.count].elementsEqual(word) { return true }
      place += 1
    }
    return false
  }
}
