// SPDX-License-Identifier: MIT
import CommandModel

/// The words of a song, from its tags. If lines begin with times, as in `[1:23.45] words`, it is known which line is being sung.
struct Lyrics: Sendable, Hashable {
  struct Line: Sendable, Hashable {
    /// When the line is sung; nil if no line has a time.
    let start: Duration?
    let text: String
  }

  /// At most this many lines are kept, however long the tag is.
  private static let mostLines = 5000

  /// The lines, in the order in which they are sung.
  let lines: [Line]

  /// Reads the text of a tag. Nil if it has no words.
  init?(_ text: String) {
    var timed: [Line] = []
    var plain: [Line] = []
    var offset = Duration.zero
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .prefix(Self.mostLines)
    {
      let (marks, rest) = Self.parts(line)
      let times = marks.compactMap(Self.time)
      if !times.isEmpty {
        timed += times.map { Line(start: $0, text: Self.withoutMarks(rest)) }
      } else if let shift = marks.first.flatMap(Self.offset) {
        offset = shift
      } else if marks.isEmpty || marks.contains(where: { !$0.contains(":" as Character) }) {
        // `[Chorus]` is part of the words, but `[ar:Björk]` is a note about the song.
        plain.append(Line(start: nil, text: Self.withoutMarks(line)))
      }
    }
    // A positive offset means that the words come earlier. Lines with the same time keep their order.
    let shifted = timed.prefix(Self.mostLines).map { line in
      Line(start: line.start.map { max(.zero, $0 - offset) }, text: line.text)
    }
    let found = timed.isEmpty ? Self.trimmed(plain) : Self.sorted(shifted)
    guard found.contains(where: { !$0.text.isEmpty }) else { return nil }
    lines = found
  }

  var isTimed: Bool { lines.first?.start != nil }

  /// The index of the line that is sung at this place of the track; nil before the first line.
  func line(at position: Duration) -> Int? {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if let start = lines[middle].start, start <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The place in the track at which the next line begins; nil after the last one.
  func nextStart(after position: Duration) -> Duration? {
    let next = line(at: position).map { $0 + 1 } ?? 0
    return lines.indices.contains(next) ? lines[next].start : nil
  }

  // MARK: Reading

  /// The texts in brackets at the beginning of a line, and the rest of the line.
  private static func parts(_ line: Substring) -> (marks: [Substring], rest: Substring) {
    var marks: [Substring] = []
    var rest = line.drop { $0 == " " || $0 == "\t" }
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      marks.append(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    }
    return (marks, rest)
  }

  /// The words without times for single words, such as `<1:23.45>`, and without blanks at both ends.
  private static func withoutMarks(_ text: Substring) -> String {
    var words = ""
    var rest = text
    while let begin = rest.firstIndex(of: "<"), let end = rest[begin...].firstIndex(of: ">") {
      words += rest[..<begin]
      if time(rest[rest.index(after: begin)..<end]) == nil { words += rest[begin...end] }
      rest = rest[rest.index(after: end)...]
    }
    words += rest
    var trimmed = words.drop { $0.isWhitespace }
    while trimmed.last?.isWhitespace == true { trimmed = trimmed.dropLast() }
    return String(trimmed)
  }

  /// A time such as `1:23`, `01:23.4` or `01:23:45`; nil for any other text.
  private static func time(_ text: Substring) -> Duration? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
    guard (2...3).contains(parts.count), parts.allSatisfy({ (1...4).contains($0.utf8.count) && $0.isDigits }),
      let minutes = Int(parts[0]), let seconds = Int(parts[1])
    else { return nil }
    let whole = Duration.seconds(minutes * 60 + seconds)
    guard parts.count == 3, let fraction = Int(parts[2].prefix(3)) else { return whole }
    let digits = min(3, parts[2].utf8.count)
    return whole + .milliseconds(fraction * (digits == 1 ? 100 : digits == 2 ? 10 : 1))
  }

  private static func offset(_ mark: Substring) -> Duration? {
    guard mark.hasPrefix("offset:"), let value = Int(mark.dropFirst(7).drop { $0 == " " || $0 == "+" }),
      value.magnitude < 1 << 24
    else { return nil }
    return .milliseconds(value)
  }

  private static func sorted(_ lines: [Line]) -> [Line] {
    lines.enumerated().sorted { first, second in
      (first.element.start ?? .zero, first.offset) < (second.element.start ?? .zero, second.offset)
    }.map(\.element)
  }

  private static func trimmed(_ lines: [Line]) -> [Line] {
    var rest = lines.drop { $0.text.isEmpty }
    while rest.last?.text.isEmpty == true { rest = rest.dropLast() }
    return Array(rest)
  }
}
