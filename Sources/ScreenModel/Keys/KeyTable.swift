// SPDX-License-Identifier: MIT
import CommandModel

/// The action that a key stands for.
package enum KeyAction: Sendable, Hashable {
  case screen(ScreenTab)
  case nextScreen, previousScreen
  case move(Int), halfPage(Int), page(Int)
  case top, bottom, center, current
  case left, right, enter
  /// The column to the right, or from the last one the first.
  case nextColumn
  case append, addNext
  /// Ask for the name of a playlist, and add the rows to it.
  case addToList
  case playPause, next, previous
  case seek(Int)
  case volume(Int)
  case mute, repeatMode, shuffleMode
  case visual, mark, invert, markAlbum
  /// Mark the row and go to the next.
  case markDown
  case remove
  case shift(Int)
  /// Sort the queue by a property, which is named as on the command line: `album`, or `-album` for the reverse order.
  case sort(String)
  case undo, redo
  case narrow, hit(Int)
  case commandLine, help, details, menu, lyrics
  case rate(Int)
  case copy
  case suspend, redraw, leave, leaveAndStop, escape
  case suspendJob, cancelJob
  /// Strike the pad at this index of the kit, counted from 0.
  case strike(Int)
  case stopPads
  /// Run a line of the command line; only the user's own keys have this.
  case command(String)
}

extension KeyAction {
  /// Whether the action changes which rows are marked.
  var isOfMarks: Bool {
    switch self {
    case .visual, .mark, .invert, .markAlbum, .markDown: true
    default: false
    }
  }

  /// Whether the action only chooses another row of the same list.
  var movesInList: Bool {
    switch self {
    case .move, .halfPage, .page, .top, .bottom, .center, .hit: true
    default: false
    }
  }

  /// Whether the action plays, adds or rates rows of Library, Search or Lists: the marked ones, or else the chosen one.
  var isOrderForRows: Bool {
    switch self {
    case .enter, .append, .addNext, .addToList, .rate: true
    default: false
    }
  }

  /// Whether the action is for the chosen rows of a list, or chooses others, so that it has no sense while a text covers the list.
  var needsListInView: Bool {
    switch self {
    case .left, .right, .nextColumn, .append, .addNext, .addToList, .visual, .mark, .markDown, .invert,
      .markAlbum,
      .remove, .shift, .sort, .hit, .center, .rate, .copy, .menu, .lyrics, .suspendJob, .cancelJob:
      true
    default: false
    }
  }
}

extension KeyAction {
  /// Whether the action does something with rows that the user has to see, or shows a text in their place. On Now it is for what plays, which the user sees
  /// without a list.
  func needsList(on tab: ScreenTab) -> Bool {
    switch self {
    case .rate, .copy, .addToList: tab != .now
    case .enter, .help, .details, .narrow: true
    default: needsListInView
    }
  }
}

/// The screens, each with the digit that leads to it.
package enum ScreenTab: Int, Sendable, Hashable, CaseIterable {
  case queue = 1, library, search, lists, now, pads, jobs

  package var name: String {
    switch self {
    case .queue: "Queue"
    case .library: "Library"
    case .search: "Search"
    case .lists: "Lists"
    case .now: "Now"
    case .pads: "Pads"
    case .jobs: "Jobs"
    }
  }
}

/// One row of the table of keys. The meaning of keys, the help and the manual come from these rows.
package struct KeyBinding: Sendable {
  /// The key, or several keys to press one after the other, as people write them.
  package let keys: String
  package let action: KeyAction
  /// The screens on which the keys work; empty for all.
  package let tabs: Set<ScreenTab>
  /// The action as a phrase for help; empty if another row explains it.
  package let summary: String
  /// The action in a word, shown after the first of several keys was pressed. Nil shows `summary` instead; an empty text shows nothing.
  let hint: String?

  init(
    _ keys: String, _ action: KeyAction, _ summary: String = "", hint: String? = nil,
    on tabs: Set<ScreenTab> = []
  ) {
    (self.keys, self.action, self.summary, self.hint, self.tabs) = (keys, action, summary, hint, tabs)
  }

  /// Whether this row could never be reached, because the keys of `other` are the beginning of its keys and work on the same screens.
  fileprivate func isCutShort(by other: KeyBinding) -> Bool {
    guard let mine = KeyPress.sequence(keys), let its = KeyPress.sequence(other.keys) else { return false }
    let isThere = other.tabs.isEmpty || (!tabs.isEmpty && tabs.isSubset(of: other.tabs))
    return isThere && its.count < mine.count && mine.starts(with: its)
  }
}

/// All keys of the screen: those that it ships with, changed by those of another program (a scheme) and by the user's own.
package struct KeyTable: Sendable {
  /// The programs whose keys a table can resemble.
  package enum Scheme: String, Sendable, CaseIterable {
    case fermata, cmus, ncmpcpp

    static let names = allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// The meaning of the keys that were pressed so far.
  enum Meaning: Equatable {
    case action(KeyAction)
    /// More keys have to follow; the texts say which ones may.
    case begun([String])
    case nothing
  }

  package private(set) var bindings: [KeyBinding]
  private var sequences: [(keys: [KeyPress], binding: KeyBinding)]

  package init(_ scheme: Scheme = .fermata) {
    let own = Self.rows(of: scheme)
    bindings = own + Self.usual.filter { row in !own.contains { row.isCutShort(by: $0) } }
    sequences = bindings.compactMap { row in KeyPress.sequence(row.keys).map { ($0, row) } }
  }

  /// Whether these keys do something on some screen.
  func has(_ keys: [KeyPress]) -> Bool { sequences.contains { $0.keys == keys } }

  /// Gives keys another action, or removes them if `action` is nil.
  mutating func set(_ keys: [KeyPress], named name: String, _ action: KeyAction?, summary: String) {
    sequences.removeAll { $0.keys == keys }
    bindings.removeAll { KeyPress.sequence($0.keys) == keys }
    guard let action else { return }
    let row = KeyBinding(name, action, summary)
    bindings.insert(row, at: 0)
    sequences.insert((keys, row), at: 0)
  }

  /// The first binding for an action on a screen; nil if there is none.
  func binding(of action: KeyAction, on tab: ScreenTab) -> KeyBinding? {
    bindings.first { $0.action == action && isInForce($0, on: tab) }
  }

  /// The name of the first key for an action on a screen; nil if there is none.
  func name(of action: KeyAction, on tab: ScreenTab) -> String? { binding(of: action, on: tab)?.keys }

  /// The meaning of these keys on a screen. Earlier rows of the table take precedence.
  func meaning(of pressed: [KeyPress], on tab: ScreenTab) -> Meaning {
    let here = sequences.filter { $0.binding.tabs.isEmpty || $0.binding.tabs.contains(tab) }
    if let exact = here.first(where: { $0.keys == pressed }) { return .action(exact.binding.action) }
    let longer = here.filter { $0.keys.count > pressed.count && $0.keys.starts(with: pressed) }
    if longer.isEmpty { return .nothing }
    return .begun(
      longer.compactMap { keys, row in
        if row.hint == "" { return nil }
        return "\(keys.dropFirst(pressed.count).map(\.name).joined()) \(row.hint ?? row.summary)"
      })
  }

  /// The rows that help shows for a screen: first the screen's own, with all keys for the same action in one row. A row whose keys mean something else
  /// on this screen, by a row that takes precedence, is left out.
  package func help(for tab: ScreenTab) -> [(keys: String, summary: String)] {
    let rows = bindings.filter { $0.tabs.contains(tab) } + bindings.filter(\.tabs.isEmpty)
    var told: Set<String> = []
    return Self.joined(rows.filter { isInForce($0, on: tab) && told.insert($0.keys).inserted })
  }

  private func isInForce(_ row: KeyBinding, on tab: ScreenTab) -> Bool {
    // Another row may have the same keys and action for this screen, with other words.
    guard row.tabs.isEmpty || row.tabs.contains(tab) else { return false }
    return KeyPress.sequence(row.keys).map { meaning(of: $0, on: tab) } == .action(row.action)
  }

  /// The rows for the manual: every key, with the screens on which it works.
  package var manual: [(keys: String, summary: String)] {
    Self.joined(bindings).map { row in
      let tabs = bindings.first { $0.summary == row.summary }?.tabs ?? []
      let names = tabs.sorted { $0.rawValue < $1.rawValue }.map(\.name).joined(separator: ", ")
      return (row.keys, tabs.isEmpty || tabs.count > 4 ? row.summary : "\(row.summary) (\(names))")
    }
  }

  private static func joined(_ rows: [KeyBinding]) -> [(keys: String, summary: String)] {
    var order: [String] = []
    var keys: [String: [String]] = [:]
    for row in rows where !row.summary.isEmpty {
      if keys[row.summary] == nil { order.append(row.summary) }
      keys[row.summary, default: []].append(row.keys)
    }
    return order.map { (keys[$0, default: []].joined(separator: " "), $0) }
  }
}

// The rows of the table of keys.
extension KeyTable {
  private static let lists: Set<ScreenTab> = [.library, .search, .lists]
  /// The screens on which rows can be marked.
  private static let markable = lists.union([.queue])
  /// The screens with rows that can stand in a playlist.
  private static let listable = markable.union([.now])
  /// The screens whose rows can be narrowed by words.
  private static let narrowed: Set<ScreenTab> = [.queue, .library]

  /// The keys that the screen has in every scheme, unless the scheme gives them another action.
  private static let usual: [KeyBinding] =
    (1...9).map { KeyBinding("\($0)", .strike($0 - 1), "strike the pad", on: [.pads]) } + [
      .init("0", .stopPads, "silence all pads", on: [.pads])
    ]
    + ScreenTab.allCases.map { KeyBinding("\($0.rawValue)", .screen($0), "show a screen") } + [
      .init("Tab", .nextScreen, "go through the screens"),
      .init("Shift-Tab", .previousScreen, "go through the screens"),
      .init("j", .move(1), "down, up"), .init("Down", .move(1), "down, up"),
      .init("k", .move(-1), "down, up"), .init("Up", .move(-1), "down, up"),
      .init("gg", .top, "first, last row"), .init("Home", .top, "first, last row"),
      .init("G", .bottom, "first, last row"), .init("End", .bottom, "first, last row"),
      .init("Ctrl-D", .halfPage(1), "half a page down, up"),
      .init("Ctrl-U", .halfPage(-1), "half a page down, up"),
      .init("Ctrl-F", .page(1), "a page down, up"), .init("PageDown", .page(1), "a page down, up"),
      .init("Ctrl-B", .page(-1), "a page down, up"), .init("PageUp", .page(-1), "a page down, up"),
      .init("zz", .center, "put the row in the middle"), .init("c", .current, "go to what plays"),
      .init("Enter", .enter, "play the row", on: [.queue]),
      .init("Enter", .enter, "play from here; the queue is replaced, and u brings it back", on: lists),
      .init("Enter", .enter, "show what went wrong", on: [.jobs]),
      .init("a", .append, "add to the end of the queue", on: lists),
      .init("A", .addNext, "add after what plays", on: lists),
      .init("P", .addToList, "add the marked rows, or this one, to a playlist", on: listable),
      .init("h", .left, "column to the left, to the right", on: [.library]),
      .init("Left", .left, "column to the left, to the right", on: [.library]),
      .init("l", .right, "column to the left, to the right", on: [.library]),
      .init("Right", .right, "column to the left, to the right", on: [.library]),
      .init("h", .seek(-5), "5 seconds back, on"), .init("Left", .seek(-5), "5 seconds back, on"),
      .init("l", .seek(5), "5 seconds back, on"), .init("Right", .seek(5), "5 seconds back, on"),
      .init("p", .playPause, "play, pause"), .init("Space", .playPause, "play, pause"),
      .init("<", .previous, "previous, next track; held, they seek where the terminal tells"),
      .init(">", .next, "previous, next track; held, they seek where the terminal tells"),
      .init("b", .seek(-30), "30 seconds back, on"), .init("f", .seek(30), "30 seconds back, on"),
      .init("+", .volume(5), "louder, quieter"), .init("=", .volume(5)),
      .init("-", .volume(-5), "louder, quieter"),
      .init("M", .mute, "mute, unmute"), .init("r", .repeatMode, "repeat none, all, one"),
      .init("x", .shuffleMode, "shuffle off, songs, albums"),
      .init("v", .visual, "mark a range of rows", on: markable),
      .init("m", .mark, "mark the row", on: markable),
      .init("*", .invert, "invert the marks", on: markable),
      .init("V", .markAlbum, "mark the album", on: [.queue, .library, .search]),
      .init("d", .cancelJob, "cancel the job", on: [.jobs]),
      .init("s", .suspendJob, "suspend or resume the job", on: [.jobs]),
      .init("d", .remove, "remove the marked rows, or this one", on: [.queue]),
      .init("Del", .remove, "remove the marked rows, or this one", on: [.queue]),
      .init("J", .shift(1), "move the marked rows, or this one, down, up", on: [.queue]),
      .init("K", .shift(-1), "move the marked rows, or this one, down, up", on: [.queue]),
      .init("u", .undo, "undo, redo an edit of the queue"),
      .init("Ctrl-R", .redo, "undo, redo an edit of the queue"),
      .init("/", .narrow, "show only rows with these words", on: narrowed),
      .init("/", .narrow, "type another search", on: [.search]),
      // On the other screens it finds lines of a text that is shown.
      .init("/", .narrow),
      .init("n", .hit(1), "next, previous row with these words", on: narrowed),
      .init("N", .hit(-1), "next, previous row with these words", on: narrowed),
      .init(":", .commandLine, "type a command; Tab completes it"), .init("?", .help, "show the keys"),
      .init("i", .details, "all that is known of the row"),
      .init("o", .menu, "what can be done with the row"),
      .init("L", .lyrics, "show the words, or what is next", on: [.now]),
    ]
    + sorting + (0...5).map { KeyBinding("R\($0)", .rate($0), "rate the row, 0 to 5") } + [
      .init("y", .copy, "copy the row's place"),
      .init("Esc", .escape, "empty the line, or go back from an empty one", on: [.search]),
      .init("Esc", .escape, "go back, take marks away"),
      .init("Ctrl-L", .redraw, "paint the screen anew"),
      .init("Ctrl-Z", .suspend, "back to the shell, until fg"),
      .init("q", .leave, "leave; the music goes on"), .init("Ctrl-C", .leave, "leave; the music goes on"),
      .init("Q", .leaveAndStop, "leave, and stop the music"),
    ]

  /// The keys that sort the queue: `s` and a letter for the property. The capital letter sorts in reverse.
  private static let sorting: [KeyBinding] = {
    let words = ["artist", "duration", "album", "track", "path", "rating", "title", "date"]
    let (letters, hints) = (
      Array("adlnprty"), ["artist", "time", "album", "number", "path", "rating", "title", "year"]
    )
    let summary =
      "sort the marked rows, or all: artist, duration, album, track number, path, rating, title, year"
    return words.indices.map {
      KeyBinding("s\(letters[$0])", .sort(words[$0]), summary, hint: hints[$0], on: [.queue])
    }
      + words.indices.map {
        KeyBinding(
          "s\(letters[$0].uppercased())", .sort("-" + words[$0]), "the same, the other way round", hint: "",
          on: [.queue])
      }
  }()

  private static func rows(of scheme: Scheme) -> [KeyBinding] {
    switch scheme {
    case .fermata: []
    case .cmus:
      [
        .init("z", .previous, "previous, next track"), .init("b", .next, "previous, next track"),
        .init("c", .playPause, "play, pause"), .init("x", .playPause, "play, pause"),
        .init("v", .command("stop"), "stop"), .init("i", .current, "go to what plays"),
        .init("Space", .markDown, "mark the row, go to the next", on: markable),
        .init("D", .remove, "remove the marked rows, or this one", on: [.queue]),
        .init("Tab", .nextColumn, "the next column, round", on: [.library]),
        .init("g", .top, "first, last row"),
        .init("e", .append, "add to the end of the queue", on: lists),
        .init("E", .addNext, "add after what plays", on: lists),
        .init("y", .addToList, "add the marked rows, or this one, to a playlist", on: listable),
        .init(",", .seek(-60), "a minute back, on"), .init(".", .seek(60), "a minute back, on"),
        .init("p", .shift(1), "move the marked rows, or this one, down, up", on: [.queue]),
        .init("P", .shift(-1), "move the marked rows, or this one, down, up", on: [.queue]),
        .init(
          "s", .shuffleMode, "shuffle off, songs, albums", on: [.queue, .library, .search, .lists, .now]),
        .init("I", .details, "all that is known of the row"),
      ]
    case .ncmpcpp:
      [
        .init("P", .playPause, "play, pause"), .init("p", .playPause, "play, pause"),
        .init("s", .command("stop"), "stop", on: [.queue, .library, .search, .lists, .now, .pads]),
        .init("z", .shuffleMode, "shuffle off, songs, albums"),
        .init("Z", .command("shuffle --now"), "shuffle the queue once"),
        .init("o", .current, "go to what plays"), .init("Ins", .mark, "mark the row", on: markable),
        .init("Space", .append, "add to the end of the queue", on: lists),
        .init("A", .addToList, "add the marked rows, or this one, to a playlist", on: listable),
        .init("m", .shift(-1), "move the marked rows, or this one, down, up", on: [.queue]),
        .init("n", .shift(1), "move the marked rows, or this one, down, up", on: [.queue]),
        .init("c", .command("queue clear"), "empty the queue", on: [.queue]),
        .init("C", .command("queue crop"), "keep only what plays", on: [.queue]),
        .init(".", .hit(1), "next, previous row with these words", on: narrowed),
        .init(",", .hit(-1), "next, previous row with these words", on: narrowed),
      ]
    }
  }
}
