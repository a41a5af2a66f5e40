// SPDX-License-Identifier: MIT
package import CommandModel
import FaceModel
import JobLogic
import PlaybackLogic

/// The terminal screen as a value: events go in, effects come out, and it can be drawn at any time.
///
/// It reads no clock and has no connection to the agent: each event comes with its time, and a question to the agent is an effect, whose answer comes
/// as another event.
package struct Screen: Sendable {
  /// The purpose of the line that is typed at the bottom.
  enum Prompt: Sendable, Hashable {
    case command
    /// Words after `/`; the list shows only the rows that have them.
    case narrowing
    /// A question, and the effects that `y` has, and Enter if that counts as an answer.
    case question(String, [ScreenEffect], byEnter: Bool)
  }

  /// A text that is shown for some seconds.
  struct Message: Sendable {
    var text: String
    var isFailure = false
    var until: Duration
  }

  /// How the clock goes while another window has the keyboard: by seconds, in steps of ten, or not at all.
  enum UnfocusedClock: String, Sendable, CaseIterable {
    case live, slow, still
  }

  static let messageTime = Duration.seconds(6)
  /// How often the position in the track is redrawn while another window has the keyboard.
  static let slowTick = Duration.seconds(10)

  // These are not private, because the files that handle keys and draw use them.
  var tab = ScreenTab.queue
  /// The screen to which Esc returns from Search and from the pads.
  var formerTab = ScreenTab.queue
  var player = PlayerPanel()
  var queue = QueueScreen()
  var library = LibraryScreen()
  var search = SearchScreen()
  var lists = ListsScreen()
  var now = NowScreen()
  var cover = Cover()
  var pads = PadsScreen()
  var jobs = JobsScreen()
  var picks = Picks()
  var pager: Pager?
  /// The output of a command that ended while something was being typed. It is shown afterwards: the letters to come would do things as keys.
  private var finished: Pager?
  var menu: Menu?
  var prompt: Prompt?
  var line = LineEditor()
  var words = LineEditor()
  /// The words by which a list was narrowed last.
  var listWords: String?
  var completions: [String] = []
  /// The rows for which the name of a playlist is being typed; nil while none is.
  var rowsForList: LibraryChoice?
  /// The line that is to be completed by the name of a playlist as soon as they have been read.
  var lineToComplete: String?
  /// The list on which the next screen begins as things are. If it is left there, nothing has to be stored.
  var firstTab = ScreenTab.queue
  private var isUntouched = true
  var message: Message?
  var keys: KeyTable
  /// The user's file of keys, which changes the keys of every scheme.
  var ownKeys = ""
  var begun: [KeyPress] = []
  /// The track for which an action is being chosen, so that the action is for no other one.
  var held: TrackRow?
  /// The same for what a row of Library, Search or Lists stands for; nil while nothing is being chosen there.
  var heldChoice: HeldChoice?
  /// Whether the mouse button that is down was pressed on the bar of the track, so that moving it seeks.
  var isSeekingByMouse = false
  var seekKey = SeekKey()
  /// The key event that is being handled; nil on a terminal that does not report how long keys are held.
  var handledKey: HeldKey?
  var isFocused = true
  /// Whether the mouse works the screen. Otherwise it is left to the terminal, which then selects text with it.
  package internal(set) var hasMouse = true
  var hasTitle = true
  var unfocusedClock = UnfocusedClock.slow
  /// The part of the last frame that stays as it is while only time passes; nil when something else has happened since.
  var still: Still?
  let program: CommandDefinition
  private(set) var size: ScreenSize

  /// A screen whose `:` line takes the commands of `program`. Covers are shown if the terminal's traits allow it.
  package init(
    _ size: ScreenSize, program: CommandDefinition, keys: KeyTable = KeyTable(),
    traits: TerminalTraits = TerminalTraits()
  ) {
    (self.size, self.program, self.keys) = (size, program, keys)
    cover.traits = traits
  }

  /// Changes keys by the lines of the user's file, and returns the lines that could not be read.
  package mutating func takeKeys(_ text: String) -> [KeysFile.Mistake] {
    ownKeys = text
    return layKeys(KeysFile.scheme(of: text) ?? .fermata)
  }

  /// Takes over a program's keys, and changes them by the user's own lines.
  mutating func layKeys(_ scheme: KeyTable.Scheme) -> [KeysFile.Mistake] {
    (keys, still) = (KeyTable(scheme), nil)
    return KeysFile.apply(ownKeys, to: &keys) { [program] in Self.mistake(inLine: $0, of: program) }
  }

  /// The title for the terminal's window; nil if it keeps the one that it had before.
  package var title: String? { hasTitle ? still?.title ?? player.title : nil }

  /// How many orders for rows of the queue wait for the agent's answer to an earlier one.
  package var waitingOrders: Int { queue.waitingOrders }

  /// Handles an event at this time. The effects have to be carried out in order.
  package mutating func handle(_ event: ScreenEvent, at time: Duration) -> [ScreenEffect] {
    // Once a second only time has passed, and then nothing has to be asked or drawn anew.
    if case .tick = event, still != nil, !isDue(at: time) { return [] }
    still = nil
    queue.isHeld = isChoosing
    defer { if !isChoosing { (held, heldChoice) = (nil, nil) } }
    if let until = message?.until, time >= until { message = nil }
    pads.darken(at: time)
    var effects = react(to: event, at: time)
    if let text = finished, !isTyping { (pager, finished) = (text, nil) }
    for effect in effects where effect.editsUnseen { queue.waitForAnswer() }
    if effects.contains(where: { $0.silences(player.status?.state ?? .stopped) }) { queue.dropWaitingPlays() }
    effects += needs()
    return effects
  }

  /// Whether an action is being chosen: in the menu, or by the keys that follow the first.
  var isChoosing: Bool { menu != nil || !begun.isEmpty }

  /// Whether it is time to take a message away, or to show a struck pad unlit again.
  private func isDue(at time: Duration) -> Bool {
    [message?.until, pads.nextChange].contains { $0.map { $0 <= time } ?? false }
  }

  /// The next time at which the frame changes without an event; nil if none is known.
  package func wake(after time: Duration) -> Duration? {
    let clock = player.nextChange(after: time).flatMap { next -> Duration? in
      switch unfocusedClock {
      case _ where isFocused, .live: next
      case .slow: max(next, time + Self.slowTick)
      case .still: nil
      }
    }
    return [clock, message?.until, pads.nextChange, nextWords(after: time)].compactMap(\.self).min()
  }

  /// When the next line of the lyrics on the screen Now is sung; nil if nobody sees that.
  private func nextWords(after time: Duration) -> Duration? {
    guard tab == .now, isFocused, let position = player.position(at: time),
      let next = now.nextChange(after: position)
    else { return nil }
    return player.time(of: next, after: time)
  }

  private mutating func react(to event: ScreenEvent, at time: Duration) -> [ScreenEffect] {
    switch event {
    case .input(let input):
      isUntouched = false
      return take(input, at: time)
    case .tick: return []
    case .history(let history):
      if let name = history.texts(.screen).last,
        let tab = ScreenTab.allCases.first(where: { $0.name == name })
      {
        firstTab = tab
        if isUntouched { show(tab) }
      }
      line.take(older: history.texts(.command))
      words.take(older: history.texts(.words))
    case .resized(let size): self.size = size
    case .status(let status):
      player.take(status, at: time)
      queue.set(current: status.queueRow.map { $0 - 1 })
      now.take(current: status.current)
    case .news(let news): return take(news, at: time)
    case .queue(let page, let ticket): queue.take(page, ticket)
    case .unanswered(let question): return askAgain(question)
    case .library(let answer, let ticket): take(answer, ticket, at: time)
    case .folders(let status, let music): library.take(status, music: music)
    case .jobs(let jobs): self.jobs.take(jobs)
    case .upcoming(let items): now.take(items)
    case .item(let face): now.take(known: face)
    case .details(let face, let asked):
      if let track = pager?.track, track.rated == asked { pager?.set(Details.lines(track, face)) }
    case .cover(let image, let request): cover.take(image, for: request)
    case .terminal(let traits): cover.traits = traits
    case .lists(let lists):
      keepingRange { screen in
        screen.lists.take(lists)
        screen.search.take(lists: lists.map(\.name))
      }
      completeWithLists()
    case .pads(let pads): self.pads.take(pads)
    case .retraced(let counts, let isUndo):
      say(Self.text(counts, isUndo: isUndo), at: time)
    case .said(let text): say(text, at: time)
    case .failed(let text): say(text, isFailure: true, at: time)
    case .ended(let order, let isGood):
      queue.ended(order, isGood: isGood)
      return goOn(at: time)
    case .commandEnded(let line, let output, let isGood):
      show(line, output, isGood: isGood, at: time)
    case .paths(let paths, let line): if prompt == .command, self.line.text == line { complete(with: paths) }
    case .agentLost(let why):
      player.lose(why, at: time)
      seekKey.forget()
    case .agentFound:
      // The crash itself stood there for a second only.
      if case .crashed = player.lost { say("the agent had crashed, and runs again", at: time) }
      return beginAgain()
    }
    return []
  }

  /// Makes every part of the screen ask the agent again. Old rows stay in view until the answers come.
  private mutating func beginAgain() -> [ScreenEffect] {
    player.find()
    (menu, begun) = (nil, [])
    queue.forget()
    library.forget()
    search.forget()
    lists.forget()
    now.forget()
    cover.forget()
    pads.forget()
    return [.needStatus, .needFolders, .needJobs]
  }

  private mutating func askAgain(_ question: ScreenEffect) -> [ScreenEffect] {
    switch question {
    case .needQueue(let ticket, _): queue.askAgain(ticket)
    case .needLibrary(_, let ticket):
      if case .column(let index) = ticket.asker { library.askAgain(column: index, ticket.number) }
    case .needUpcoming: now.forget()
    case .needJobs, .needFolders: return [question]
    default: break
    }
    return []
  }

  private mutating func take(_ answer: LibraryAnswer, _ ticket: LibraryTicket, at time: Duration) {
    // The reason is also said in the message line: a column with rows does not show it, and an empty one may be too narrow.
    if case .failed(let why) = answer, !why.isEmpty, case .column = ticket.asker, player.lost == nil {
      say(why, isFailure: true, at: time)
    }
    keepingRange { screen in
      switch ticket.asker {
      case .search: screen.search.take(answer, ticket)
      case .searchAlbums: screen.search.take(albums: answer)
      case .preparation: break
      case .column(let index): screen.library.take(answer, ticket, column: index)
      }
    }
  }

  private mutating func take(_ news: AgentNews, at time: Duration) -> [ScreenEffect] {
    switch news {
    // The agent cannot answer any more. The reason for its end follows in a moment.
    case .ending:
      player.lose(.ended, at: time)
      return []
    case .seeked(let position):
      player.seek(to: position, at: time)
      return []
    case .coding(let coding):
      player.set(coding)
      return []
    case .stored(let isStored):
      player.set(isStored: isStored)
      return []
    case .queue(let news):
      let wasMarking = queue.isMarking
      let isThere = queue.take(news)
      // What the menu or the keys to come would do is not meant for the next row.
      if tab == .queue, !queue.isMarking, wasMarking || !isThere { (menu, begun) = (nil, []) }
      player.set(queueLength: news.length)
      now.forget()
      return goOn(at: time)
    case .itemsChanged(let items):
      queue.take(items)
      now.take(changed: items)
      guard items.contains(where: { $0.entry == player.status?.current?.entry }) else { return [] }
      cover.forget()
    case .row(let row):
      queue.set(current: row.map { $0 - 1 })
      now.forget()
    // Another order of playing.
    case .modes: now.forget()
    // `nowPlaying` follows only when the track is heard, which an output that buffers much may delay by a second.
    case .pads(let pads):
      self.pads.take(pads)
      return []
    case .job(let job):
      jobs.take(job)
      return job.state.isOver ? [.needFolders] : []
    case .library:
      library.forget()
      search.forget()
      lists.forget()
      return [.needFolders]
    // Somebody has paused elsewhere.
    case .state(.paused, why: _) where player.status?.state != .paused: queue.dropWaitingPlays()
    case .skipped(_, _, let why): say("skipped: \(PlainWords.refusal(why))", isFailure: true, at: time)
    case .endedEarly(_, _, let why, _): say("ended early: \(why)", isFailure: true, at: time)
    case .routeChange(let reason, let from, let to, let paused):
      say(PlainWords.route(reason, from: from, to: to, paused: paused), at: time)
    case .interruptionBegan(let source, _, wasPlaying: false): say(PlainWords.began(source), at: time)
    case .interruptionEnded(_, let sources, let resumes, let isOverruled):
      say(PlainWords.ended(sources, resumes: resumes, isOverruled: isOverruled), at: time)
    default: break
    }
    return [.needStatus]
  }

  /// The questions to the agent whose answers the present screen needs.
  private mutating func needs() -> [ScreenEffect] {
    layOut()
    library.follow()
    guard player.lost == nil else { return [] }
    return needsOfList() + cover.needs(player.status?.current?.entry, at: coverPlace)
  }

  private mutating func needsOfList() -> [ScreenEffect] {
    switch tab {
    case .queue: return queue.needs()
    case .library: return library.needs()
    case .search: return search.needs() + lists.needs()
    case .lists: return lists.needs()
    case .now: return now.needs()
    case .pads: return pads.needs()
    case .jobs: return []
    }
  }

  /// Tells the lists how many rows are visible, because their questions depend on that, and the panel how its keys are called.
  private mutating func layOut() {
    nameKeys()
    let rows = showsList ? listArea.count : 1
    queue.set(height: rows - 1)
    library.set(height: rows - 1)
    search.set(height: rows - 2)
    lists.cursor.set(height: rows - 1)
    jobs.cursor.set(height: (rows - 1) / 2)
  }

  private mutating func nameKeys() {
    let name = { [keys, tab] in keys.name(of: $0, on: tab) }
    player.keys = PlayerPanel.Keys(
      play: name(.playPause) ?? ":toggle", mute: name(.mute) ?? ":volume unmute",
      louder: name(.volume(5)) ?? ":volume +5%")
  }

  // MARK: Messages

  /// Carries out the orders that waited for an edit of the queue.
  private mutating func goOn(at time: Duration) -> [ScreenEffect] {
    tellLostOrders(at: time)
    return queue.goOn()
  }

  /// Carries out an order for rows of the queue, or says that it is not known which rows these are.
  mutating func order(_ order: QueueOrders.Order, at time: Duration) -> [ScreenEffect] {
    if queue.isRangeOpen {
      say("the end of the range is still looked for; press it again then", isFailure: true, at: time)
      return []
    }
    let effects = queue.order(order)
    tellLostOrders(at: time)
    return effects
  }

  private mutating func tellLostOrders(at time: Duration) {
    guard queue.takeLostOrders() else { return }
    say("the queue has changed; choose the rows again", isFailure: true, at: time)
  }

  mutating func say(_ text: String, isFailure: Bool = false, at time: Duration) {
    message = Message(text: text, isFailure: isFailure, until: time + Self.messageTime)
  }

  /// Shows what a typed line has led to: in the message line if it has room there, else in place of the list.
  mutating func show(_ line: String, _ output: String, isGood: Bool, at time: Duration) {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: true)
    if lines.count > 1 || lines.contains(where: { !hasRoom(for: $0) }), showsList {
      finished = Pager(":\(line)", text: output)
      if isTyping { say(":\(line) is done; what it says is shown when nothing is typed", at: time) }
    } else if let text = lines.first {
      say(String(text), isFailure: !isGood, at: time)
    } else if !isGood {
      say("\(line): it failed without a word", isFailure: true, at: time)
    }
    lists.forget()
  }

  /// Whether the message line shows a text whole.
  private func hasRoom(for text: some StringProtocol) -> Bool {
    TerminalText.width(String(text)) + 2 <= size.columns
  }

  private static func text(_ counts: EditCounts, isUndo: Bool) -> String {
    let changes = counts.order.isEmpty ? changes(counts) : ["\(counts.moved) sorted by \(counts.order)"]
    return (isUndo ? "undone" : "done again")
      + (changes.isEmpty ? "" : ": " + changes.joined(separator: ", "))
      + (isUndo ? "; Ctrl-R does it again" : "; u undoes")
  }

  private static func changes(_ counts: EditCounts) -> [String] {
    [(counts.added, "added"), (counts.removed, "removed"), (counts.moved, "moved")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
