// SPDX-License-Identifier: MIT
package import CommandModel
import FaceModel

// The `:` line: it takes row numbers, the screen's own words, and the commands of the command line.
extension Screen {
  /// Words of the `:` line that the command line does not have.
  static let ownWords = [
    OwnWord("set", settable), OwnWord("browse", LibraryScreen.properties.map { OwnWord($0) }),
    OwnWord("keys", KeyTable.Scheme.allCases.map { OwnWord($0.rawValue) }), OwnWord("q"),
  ]

  /// The words that may follow `:set`, each with the values that it takes.
  private static let settable = [
    ("mouse", ["on", "off"]), ("title", ["on", "off"]), ("covers", CoverWish.allCases.map(\.rawValue)),
    ("unfocused", UnfocusedClock.allCases.map(\.rawValue)),
  ].map { name, values in OwnWord(name, values.map { OwnWord($0) }) }

  mutating func run(_ text: String, at time: Duration) -> [ScreenEffect] {
    guard let words = TypedLine.split(text) else {
      say("':\(text)': a quote or backslash has no end", isFailure: true, at: time)
      return []
    }
    guard let first = words.first else { return [] }
    let rest = Array(words.dropFirst())
    switch first {
    case _ where words.count == 1 && first.isDigits:
      show(.queue)
      if !queue.choose(row: (Int(first) ?? .max / 2) - 1) {
        say("row \(first): it has not the words of the list; Esc shows all", isFailure: true, at: time)
      }
    case "q": return leave(stops: false)
    case "set": set(rest, at: time)
    case "browse": browse(rest, at: time)
    case "keys": chooseKeys(rest, at: time)
    case "undo" where rest.isEmpty: return [.edit(.undo)]
    case "redo" where rest.isEmpty: return [.edit(.redo)]
    default: return parse(words, text, at: time)
    }
    return []
  }

  /// Checks the grammar of a command, so that a mistake is reported at once. The command itself is run elsewhere; `quit` is asked about first.
  private mutating func parse(_ words: [String], _ text: String, at time: Duration) -> [ScreenEffect] {
    do throws(CommandError) {
      if try Self.command(words, of: program) == ["quit"] {
        // The bus would start an agent to carry out the order that it end.
        guard player.lost == nil else {
          say("no agent runs", at: time)
          return []
        }
        prompt = .question(
          "End the agent, and the music with it?  y ends it, Esc does not", [.quitAgent], byEnter: false)
        return []
      }
    } catch {
      show(text, error.description, isGood: false, at: time)
      return []
    }
    return [.command(Self.withoutName(words, of: program), line: text)]
  }

  /// Whether this command edits the queue or a playlist, so that it must not overtake the one before. Others may take as long as they like, such as a
  /// scan, or are for the moment at which they were typed, such as a pause.
  package static func keepsOrder(_ words: [String]) -> Bool {
    words.first.map { ["add", "play", "queue", "playlist"].contains($0) } ?? false
  }

  /// The words without the program's own name, which somebody may have copied from a hint.
  package static func withoutName(_ words: [String], of program: CommandDefinition) -> [String] {
    words.first == program.name ? Array(words.dropFirst()) : words
  }

  /// The names of the command that these words call, such as `queue jump`; empty if they only ask for help.
  private static func command(
    _ words: [String], of program: CommandDefinition
  ) throws(CommandError) -> [String] {
    let words = withoutName(words, of: program)
    guard case .run(_, let path) = try CommandParser(program).parse(words) else { return [] }
    try checkSuited(path.words, options: words.prefix { $0 != "--" })
    return path.words
  }

  /// The mistake in a command; nil if there is none.
  package static func mistake(in words: [String], of program: CommandDefinition) -> String? {
    do throws(CommandError) { _ = try command(words, of: program) } catch { return error.description }
    return nil
  }

  /// Throws for a command that does not suit the `:` line, because it needs a terminal of its own or never ends.
  private static func checkSuited(
    _ path: [String], options: ArraySlice<String>
  ) throws(CommandError) {
    switch path.first {
    case "ui": throw CommandError(.usage, "':ui'", "this is the screen", "q leaves it")
    case let word?
    where word == "agent" || word == "events" || word == "status" && options.contains("--follow")
      || word == "play" && options.contains("--here"):
      throw CommandError(.usage, "':\(word)'", "it runs until it is stopped", "give it a terminal of its own")
    default: return
    }
  }

  /// The mistake in a line that keys.conf assigns to a key; nil if there is none.
  package static func mistake(inLine line: String, of program: CommandDefinition) -> String? {
    guard let words = TypedLine.split(line), let first = words.first else {
      return "a quote or backslash has no end"
    }
    return ownWords.contains { $0.text == first } || first.isDigits ? nil : mistake(in: words, of: program)
  }

  private mutating func set(_ words: [String], at time: Duration) {
    if words.count == 2, words[0] == "covers", let wish = CoverWish(word: words[1]) {
      return set(covers: wish, as: words[1], at: time)
    }
    if words.count == 2, words[0] == "unfocused", let clock = UnfocusedClock(rawValue: words[1]) {
      unfocusedClock = clock
      return
    }
    switch words {
    case ["mouse", "on"], ["mouse", "off"]: hasMouse = words[1] == "on"
    case ["title", "on"], ["title", "off"]: hasTitle = words[1] == "on"
    default:
      let all = Self.settable.map { "\($0.text) \($0.next.map(\.text).joined(separator: "|"))" }
      show("set", "':set': it takes \(all.joined(separator: ", "))", isGood: false, at: time)
    }
  }

  private mutating func set(covers wish: CoverWish, as word: String, at time: Duration) {
    guard wish == .off || CoverForm(cover.traits, wish: wish) != nil else {
      say(
        "':set covers \(word)': this terminal tells of too few colours; with more, set COLORTERM=truecolor",
        isFailure: true, at: time)
      return
    }
    cover.wish = wish
  }

  private mutating func browse(_ words: [String], at time: Duration) {
    guard let names = words.first else {
      say("browsing by \(library.grouping)", at: time)
      return
    }
    let properties = names.split(separator: "/").map(String.init)
    guard words.count == 1, library.browse(properties) else {
      say(
        "':browse \(names)': write up to three of \(LibraryScreen.properties.joined(separator: ", ")), parted by /",
        isFailure: true, at: time)
      return
    }
    show(.library)
  }

  private mutating func chooseKeys(_ words: [String], at time: Duration) {
    guard words.count == 1, let scheme = KeyTable.Scheme(rawValue: words[0]) else {
      say("':keys': write one of \(KeyTable.Scheme.names)", isFailure: words.count > 0, at: time)
      return
    }
    // What is wrong with the user's file was said when it was read.
    _ = layKeys(scheme)
    say("keys as in \(scheme.rawValue); ? shows them", at: time)
  }
}
