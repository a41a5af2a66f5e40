// SPDX-License-Identifier: MIT
import CommandModel

/// A line of text that the user types, with its cursor, and the lines that were typed before.
struct LineEditor: Sendable {
  static let longest = 4096

  private(set) var text = ""
  /// The cursor, as a number of characters from the beginning.
  private(set) var cursor = 0
  /// Whether the whole text is selected, so that what is typed next replaces it.
  private(set) var isSelected = false
  private var history: [String] = []
  /// Which line of the history is shown, counted back from the latest; 0 is the line being typed.
  private var age = 0
  private var typed = ""

  /// Begins a line with this text.
  mutating func begin(_ text: String = "") {
    age = 0
    set(text)
  }

  mutating func set(_ text: String) { (self.text, cursor, isSelected) = (text, text.count, false) }

  mutating func select() { (cursor, isSelected) = (text.count, !text.isEmpty) }
  mutating func deselect() { isSelected = false }

  /// Ends the line, adds it to the history, and returns it.
  mutating func finish() -> String {
    defer { begin() }
    remember()
    return text
  }

  /// Adds the line to the history, and does not end it.
  mutating func remember() {
    if !text.isEmpty, history.last != text { history.append(text) }
    if history.count > TypedHistory.most { history.removeFirst() }
  }

  /// Adds lines that were typed earlier than all in the history.
  mutating func take(older lines: [String]) {
    history = Array((lines + history).suffix(TypedHistory.most))
  }

  /// Whether a line of the history is shown.
  var isRecalling: Bool { age > 0 }

  /// Puts a text in at the cursor. A line has no line breaks, so pasted ones become spaces and run nothing. Returns false if the line would become too
  /// long; then it stays as it is.
  @discardableResult
  mutating func insert(_ new: String) -> Bool {
    guard (isSelected ? 0 : text.utf8.count) + new.utf8.count <= Self.longest else { return false }
    if isSelected { begin() }
    let clean = String(new.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    // Counted from behind, because a sign such as an accent joins the letter before it and makes no letter of its own.
    let rest = text.count - cursor
    text.insert(contentsOf: clean, at: text.index(text.startIndex, offsetBy: cursor))
    cursor = max(0, text.count - rest)
    return true
  }

  /// Handles a key that edits the line; returns false for any other key.
  mutating func take(_ press: KeyPress) -> Bool {
    if isSelected, Self.removes(press) {
      begin()
      return true
    }
    if case .character(let letter) = press.key, press.modifiers.isSubset(of: .shift) {
      insert(String(letter))
      return true
    }
    isSelected = false
    return edit(press)
  }

  /// Whether a key removes a selected text.
  private static func removes(_ press: KeyPress) -> Bool {
    [.backspace, .delete, .control("h"), .control("d"), .control("w")].contains(press.key)
  }

  /// Whether a key with Alt moves by words or removes one, as in a shell.
  static func edits(_ press: KeyPress) -> Bool {
    press.modifiers == .alt
      && [.character("b"), .character("f"), .character("d"), .backspace, .left, .right].contains(press.key)
  }

  private mutating func edit(_ press: KeyPress) -> Bool {
    if Self.edits(press) {
      switch press.key {
      case .character("b"), .left: cursor = wordStart
      case .character("f"), .right: cursor = wordEnd
      case .character("d"): remove(cursor..<wordEnd)
      default: remove(wordStart..<cursor)
      }
      return true
    }
    switch press.key {
    case .backspace, .control("h"):
      if cursor > 0 { remove(cursor - 1..<cursor) }
    case .delete, .control("d"): if cursor < text.count { remove(cursor..<cursor + 1) }
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .control("u"): remove(0..<cursor)
    case .control("k"): remove(cursor..<text.count)
    case .control("w"): remove(wordStart..<cursor)
    default: return false
    }
    return true
  }

  private var wordStart: Int {
    let before = Array(text.prefix(cursor))
    var place = before.count
    while place > 0, before[place - 1] == " " { place -= 1 }
    while place > 0, before[place - 1] != " " { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    let letters = Array(text)
    var place = cursor
    while place < letters.count, letters[place] == " " { place += 1 }
    while place < letters.count, letters[place] != " " { place += 1 }
    return place
  }

  private mutating func remove(_ range: Range<Int>) {
    let start = text.index(text.startIndex, offsetBy: range.lowerBound)
    let end = text.index(text.startIndex, offsetBy: range.upperBound)
    text.removeSubrange(start..<end)
    // The characters on both sides of a removed range may join into one character.
    cursor = min(range.lowerBound, text.count)
  }

  /// Shows the line of the history that is older, or newer, than the one that is shown.
  mutating func recall(older: Bool) {
    if age == 0 { typed = text }
    let next = age + (older ? 1 : -1)
    guard (0...history.count).contains(next) else { return }
    age = next
    set(age == 0 ? typed : history[history.count - age])
  }

  /// Draws `sign`, such as `:`, and the line after it, and puts the cursor into the line. Of a long line it shows the part around the cursor.
  func draw(_ sign: String, _ frame: inout Frame, _ row: Int, hint: String = "") {
    frame.clear(row)
    let start = frame.put(sign, at: row, 1, .heading)
    let room = max(1, frame.size.columns - start - 1)
    var before = Substring(text.prefix(cursor))
    while TerminalText.width(TerminalText.printable(String(before))) > room - 1, !before.isEmpty {
      before = before.dropFirst(max(1, before.count / 8))
    }
    let style = isSelected ? CellStyle(.reverse) : .plain
    let place = frame.put(String(before), at: row, start, width: room, style)
    let end = frame.put(
      String(text.dropFirst(cursor)), at: row, place, width: max(0, frame.size.columns - place), style)
    if !hint.isEmpty, frame.size.columns - end > 12 {
      frame.putRight(hint, at: row, endingAt: frame.size.columns - 1, from: end + 2, .dim)
    }
    frame.cursor = (row, place)
    frame.isCursorShown = true
  }
}

/// A line that was typed on the screen, to be brought back later, or the name of the list on which the screen was left.
package struct KeptLine: Sendable, Hashable {
  package enum Kind: Sendable, Hashable, CaseIterable {
    case command
    /// Words that were typed after `/`, to show only the rows of a list that have them.
    case words
    /// The name of the list that was shown last. Of this kind there is one line.
    case screen

    fileprivate var sign: Unicode.Scalar {
      switch self {
      case .command: ":"
      case .words: "/"
      case .screen: "@"
      }
    }
  }

  package let kind: Kind
  package let text: String

  package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}

/// The lines that were typed on the screen, the oldest first. Their file has a line of text for each, which begins with the sign that it was typed
/// after: `:` or `/`. A line that begins with `@` has the name of a list.
package struct TypedHistory: Sendable, Hashable {
  package static let most = 500
  /// The most bytes that a file of typed lines may have.
  package static let largestFile = most * (LineEditor.longest + 2)

  package private(set) var lines: [KeptLine] = []

  package init() {}

  /// Reads the content of a file of typed lines. Nil if any line has another form, because the others can't be trusted then either.
  package init?(_ file: [UInt8]) {
    guard file.count <= Self.largestFile, let text = String(validating: file, as: UTF8.self),
      !text.unicodeScalars.contains(where: { TerminalText.isHazardous($0) && $0 != "\n" })
    else { return nil }
    // By scalars: a text that begins with an accent makes one character of it and the sign.
    for line in text.unicodeScalars.split(separator: "\n") {
      guard let kind = KeptLine.Kind.allCases.first(where: { $0.sign == line.first }) else { return nil }
      add(KeptLine(kind, String(line.dropFirst())))
    }
  }

  package var file: [UInt8] { lines.flatMap { Array("\($0.kind.sign)\($0.text)\n".utf8) } }

  package func texts(_ kind: KeptLine.Kind) -> [String] { lines.filter { $0.kind == kind }.map(\.text) }

  /// Adds a line as the newest. An equal one that was typed before is removed, and so is the oldest if there are too many.
  package mutating func add(_ line: KeptLine) {
    guard !line.text.isEmpty, !line.text.unicodeScalars.contains(where: TerminalText.isHazardous) else {
      return
    }
    lines.removeAll { $0 == line || line.kind == .screen && $0.kind == .screen }
    lines.append(line)
    while lines.count > Self.most, let oldest = lines.firstIndex(where: { $0.kind != .screen }) {
      lines.remove(at: oldest)
    }
  }
}
