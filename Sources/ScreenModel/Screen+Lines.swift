// SPDX-License-Identifier: MIT
import CommandModel

// The lines that are typed: commands after `:`, and words after `/` that narrow a list. A question that waits for an answer is one, too.
extension Screen {
  mutating func begin(_ prompt: Prompt) {
    self.prompt = prompt
    (begun, completions, message, rowsForList) = ([], [], nil, nil)
    if prompt == .command {
      line.begin()
    } else {
      if pager == nil, tab == .queue { queue.beginWords() }
      words.begin(
        pager != nil
          ? "" : tab == .queue ? queue.narrowing?.words ?? "" : tab == .library ? library.words : "")
      // What is typed next are other words; a key that moves in the line keeps those that are there.
      words.select()
    }
  }

  private mutating func recallWords(older: Bool) {
    words.recall(older: older)
    narrow(words.text)
  }

  mutating func take(_ press: KeyPress, in prompt: Prompt, at time: Duration) -> [ScreenEffect] {
    switch (prompt, press.key) {
    case (_, .control("z")): return endSeek() + [.suspend]
    case (_, .control("l")): return [.redraw, .needStatus]
    case (.question(_, let effects, _), .character("y")), (.question(_, let effects, byEnter: true), .enter):
      self.prompt = nil
      return effects
    // It may be the one that sent the command, held down.
    case (.question, .enter): break
    case (.question, _): self.prompt = nil
    case (.narrowing, .escape), (.narrowing, .control("c")):
      self.prompt = nil
      cancelWords()
    case (.narrowing, .up): recallWords(older: true)
    case (.narrowing, .down) where words.isRecalling: recallWords(older: false)
    case (.narrowing, .enter), (.narrowing, .down):
      self.prompt = nil
      words.remember()
      if pager == nil, !words.text.isEmpty { listWords = words.text }
      return words.text.isEmpty ? [] : [.remember(KeptLine(.words, words.text))]
    case (.narrowing, .backspace) where words.text.isEmpty:
      self.prompt = nil
      cancelWords()
    case (.command, .backspace) where line.text.isEmpty: self.prompt = nil
    case (.narrowing, _): if words.take(press) { narrow(words.text) }
    case (.command, .escape), (.command, .control("c")): self.prompt = nil
    case (.command, .enter):
      self.prompt = nil
      let text = line.finish()
      let effects = addToList(text) ?? run(text, at: time)
      return (text.isEmpty ? [] : [.remember(KeptLine(.command, text))]) + effects
    case (.command, .tab): return complete()
    case (.command, .up): line.recall(older: true)
    case (.command, .down): line.recall(older: false)
    case (.command, _):
      completions = []
      _ = line.take(press)
    }
    return []
  }

  // MARK: The name of a playlist

  /// Begins the line that adds rows to a playlist, whose name is still to be typed.
  mutating func askForList(at time: Duration) {
    guard let rows = rowsToAdd else { return say("nothing is chosen", at: time) }
    begin(.command)
    line.set(Self.addingToList)
    rowsForList = rows
  }

  private static let addingToList = "playlist add "

  /// The effect of a typed line that names the playlist for the rows that were chosen; nil if it is another line. Without chosen rows, as when somebody types
  /// it all, the command adds what plays. Whatever follows is the name, with or without quotes.
  private mutating func addToList(_ text: String) -> [ScreenEffect]? {
    defer { rowsForList = nil }
    let typed = text.dropFirst(Self.addingToList.count).drop { $0 == " " }
    guard let rowsForList, text.hasPrefix(Self.addingToList), !typed.isEmpty, !typed.hasPrefix("-") else {
      return nil
    }
    let words = TypedLine.split(String(typed)) ?? []
    queue.clearMarks()
    picks.clear()
    return [.addToList(rowsForList, name: words.count == 1 ? words[0] : String(typed))]
  }

  private mutating func cancelWords() {
    if pager == nil, tab == .queue { queue.cancelWords() } else { narrow("") }
  }

  private mutating func narrow(_ text: String) {
    if pager != nil {
      pager?.narrow(text)
    } else if tab == .queue {
      queue.narrow(text)
    } else if tab == .library {
      library.narrow(text)
    }
  }

  private mutating func complete() -> [ScreenEffect] {
    switch TypedLine.completion(of: line.text, root: program, own: Self.ownWords) {
    case .words(let words): complete(with: words)
    case .path(let begun): return [.needPaths(begun, line: line.text)]
    case .list(let scheme, let begun):
      let found = names(scheme, beginningWith: begun)
      complete(with: found)
      // If none is known, those that are about to be read may be meant.
      lineToComplete = found.isEmpty ? line.text : nil
      // Those that were made since then are offered the next time.
      lists.forget()
      return lists.needs()
    }
    return []
  }

  /// Completes the name of a playlist for which nothing was known before the playlists were read.
  mutating func completeWithLists() {
    guard prompt == .command, let asked = lineToComplete, asked == line.text,
      case .list(let scheme, let begun) = TypedLine.completion(of: asked, root: program, own: Self.ownWords)
    else { return lineToComplete = nil }
    lineToComplete = nil
    complete(with: names(scheme, beginningWith: begun))
  }

  /// The names of playlists, as they are typed after this scheme, that go on where `begun` ends.
  private func names(_ scheme: String, beginningWith begun: String) -> [String] {
    lists.names.map { scheme + $0 }.filter { $0.hasPrefix(begun) && $0 != begun }
  }

  /// The last name of a path, with the slash of a folder. The folders above are in the line.
  private static func nameOnly(_ word: String) -> String {
    let cut = word.dropLast().lastIndex(of: "/")
    return cut.map { String(word[word.index(after: $0)...]) } ?? word
  }

  /// Completes the last word by what all these words begin with, and shows them if they are several.
  mutating func complete(with words: [String]) {
    completions = words.count > 1 ? words.map(Self.nameOnly) : []
    guard let first = words.first else { return }
    let common = words.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
    // In a folder there may be more to choose from.
    let isWhole = words.count == 1 && !common.hasSuffix("/")
    let completed = TypedLine.line(line.text, completedBy: common, isWhole: isWhole)
    if isWhole || completed.count > line.text.count { line.set(completed) }
  }

  mutating func refusePaste(at time: Duration) {
    say("what was pasted is too long; ':add FOLDER' adds a whole folder", isFailure: true, at: time)
  }

  mutating func take(paste text: String, at time: Duration) -> [ScreenEffect] {
    switch prompt {
    case .command: if !line.insert(text) { refusePaste(at: time) }
    case .narrowing: if words.insert(text) { narrow(words.text) } else { refusePaste(at: time) }
    case .question: break
    case nil where tab == .search && search.isTyping && pager == nil:
      if !search.paste(text) { refusePaste(at: time) }
    case nil:
      let paths = PastedPaths.paths(in: text)
      guard !paths.isEmpty else { return [] }
      let count = paths.count == 1 ? "add \(paths[0])?" : "add \(paths.count) files?"
      prompt = .question(
        "\(count)  Enter or y adds, Esc does not", [.command(["add"] + paths, line: "add")], byEnter: true)
    }
    return []
  }
}
