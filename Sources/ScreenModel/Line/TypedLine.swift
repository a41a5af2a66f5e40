// SPDX-License-Identifier: MIT
package import CommandModel

/// Splits a typed line into the words of a command line, and says what can complete its last word.
package enum TypedLine {
  /// The words of a line as a shell would split it: quotes and backslashes keep spaces. Nil if a quote has no end.
  package static func split(_ line: String) -> [String]? {
    var splitting = Splitting(line)
    guard splitting.quote == nil, !splitting.isEscaped else { return nil }
    splitting.endWord()
    return splitting.words
  }

  /// The words before the last one, and the last as far as it is typed; empty after a space. Nil within quotes: nobody knows yet where they end.
  private static func parts(_ line: String) -> (before: [String], last: String)? {
    let splitting = Splitting(line)
    guard splitting.quote == nil, !splitting.isEscaped else { return nil }
    return (splitting.words, splitting.word ?? "")
  }

  /// The line with its last word replaced by a completed one. After a whole word comes a space.
  static func line(_ line: String, completedBy word: String, isWhole: Bool) -> String {
    line[..<Splitting(line).wordStart] + quoted(word) + (isWhole ? " " : "")
  }

  /// A word as it has to be typed so that `split` gives it back.
  private static func quoted(_ word: String) -> String {
    word.reduce(into: "") { text, letter in
      if letter == " " || letter == "\t" || letter == "\\" || letter == "'" || letter == "\"" { text += "\\" }
      text.append(letter)
    }
  }

  /// What is known while a line is split, letter by letter.
  private struct Splitting {
    /// The words that have ended.
    var words: [String] = []
    /// The word that has not ended yet; nil after a space.
    var word: String?
    var wordStart: String.Index
    var quote: Character?
    var isEscaped = false

    init(_ line: String) {
      wordStart = line.startIndex
      for index in line.indices { take(line[index], upTo: line.index(after: index)) }
    }

    private mutating func take(_ letter: Character, upTo next: String.Index) {
      if isEscaped {
        word = (word ?? "") + String(letter)
        isEscaped = false
      } else if letter == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if letter == open { quote = nil } else { word = (word ?? "") + String(letter) }
      } else if letter == "\"" || letter == "'" {
        (quote, word) = (letter, word ?? "")
      } else if letter == " " || letter == "\t" {
        endWord()
        wordStart = next
      } else {
        word = (word ?? "") + String(letter)
      }
    }

    mutating func endWord() {
      if let word { words.append(word) }
      word = nil
    }
  }
}

/// A word of the `:` line that the command line does not have, and the words that may follow it.
package struct OwnWord: Sendable {
  let text: String
  let next: [OwnWord]

  init(_ text: String, _ next: [OwnWord] = []) { (self.text, self.next) = (text, next) }
}

extension TypedLine {
  /// What can complete the last word of a line.
  package enum Completion: Sendable, Hashable {
    /// One of these words.
    case words([String])
    /// The path of a file or folder that begins so.
    case path(String)
    /// The name of a kept playlist, after this text, which is empty or a scheme and a colon.
    case list(after: String, begun: String)
  }

  /// What can complete the last word of a line: a command below `root` or one of its arguments, or one of the screen's own words.
  package static func completion(
    of line: String, root: CommandDefinition, own: [OwnWord]
  ) -> Completion {
    guard let (before, last) = parts(line) else { return .words([]) }
    if let first = before.first, let word = own.first(where: { $0.text == first }) {
      let next = before.dropFirst().reduce(word.next) { words, text in
        words.first { $0.text == text }?.next ?? []
      }
      return .words(matching(next.map(\.text), last))
    }
    var (command, rest) = (root, before[...])
    if rest.first == root.name { rest = rest.dropFirst() }
    while let next = rest.first.flatMap(command.subcommand) { (command, rest) = (next, rest.dropFirst()) }
    guard command.subcommands.isEmpty else {
      guard rest.isEmpty else { return .words([]) }
      let own = before.isEmpty ? own.map(\.text) : []
      return .words(matching(command.subcommands.map(\.name) + own, last))
    }
    return completion(of: last, after: rest, command, root)
  }

  private static func completion(
    of last: String, after words: ArraySlice<String>, _ command: CommandDefinition, _ root: CommandDefinition
  ) -> Completion {
    if let option = words.last, let taken = command.options.first(where: { "--\($0.long)" == option })?.value
    {
      return completion(of: last, taken.completion, after: option, root)
    }
    let options = command.options.map { "--\($0.long)" }
    let place = words.count { !$0.hasPrefix("-") }
    let further = command.arguments.last.flatMap { $0.arity.repeats ? $0 : nil }
    let argument = command.arguments.indices.contains(place) ? command.arguments[place] : further
    guard let argument, !last.hasPrefix("--"), !last.hasPrefix("-") || argument.takesDashes else {
      return .words(matching(options, last))
    }
    let found = completion(of: last, argument.value.completion, after: words.last ?? "", root)
    // Where only the user knows the word, options are all that can be offered.
    guard case .words(let offers) = found, offers.isEmpty, last.isEmpty else { return found }
    return .words(options)
  }

  private static func completion(
    of last: String, _ values: ValueDefinition.Completion, after former: String, _ root: CommandDefinition
  ) -> Completion {
    switch values {
    case .nothing: .words([])
    case .choices(let choices), .suggestions(let choices): .words(matching(choices.map(\.word), last))
    case .sequels(let sequels):
      .words(matching(sequels.first { $0.word == former }?.words ?? [], last))
    case .commands: .words(matching(root.subcommands.map(\.name), last))
    case .kept: .list(after: "", begun: last)
    case .filesOrKept(_, let scheme) where last.hasPrefix(scheme + ":"):
      .list(after: scheme + ":", begun: last)
    case .files, .filesOrKept: .path(last)
    }
  }

  private static func matching(_ words: [String], _ begun: String) -> [String] {
    words.filter { $0.hasPrefix(begun) && $0 != begun }
  }
}

/// The paths in a text that was pasted or dropped: plain, quoted, with backslashes, or as `file://`.
enum PastedPaths {
  private static let most = 10_000

  /// The paths; empty if the text is anything else. Spaces are allowed in a path that fills a whole line.
  static func paths(in text: String) -> [String] {
    // Terminals put a blank behind each path that is dropped on them.
    let lines = text.split(whereSeparator: \.isNewline).map(Self.withoutBlanks).filter { !$0.isEmpty }
    let whole = lines.map(path)
    if !lines.isEmpty, whole.allSatisfy({ $0 != nil }),
      lines.allSatisfy({ !$0.hasPrefix("'") && !$0.hasPrefix("\"") }),
      !lines.contains(where: { $0.contains("\\" as Character) }), !lines.contains(where: hasSeveral)
    {
      return Array(whole.compactMap(\.self).prefix(most))
    }
    let words = lines.flatMap { TypedLine.split($0) ?? [] }
    let paths = words.map(path)
    return paths.contains { $0 == nil } ? [] : Array(paths.compactMap(\.self).prefix(most))
  }

  private static func withoutBlanks(_ line: Substring) -> String {
    String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func hasSeveral(_ line: String) -> Bool {
    line.split(separator: " ").dropFirst().contains { $0.hasPrefix("/") || $0.hasPrefix("file://") }
  }

  private static func path(_ word: String) -> String? {
    word.hasPrefix("/") || word.hasPrefix("~/") || word.hasPrefix("file:///") ? word : nil
  }
}
