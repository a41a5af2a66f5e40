// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import JobLogic
import PlaybackLogic

// Handles keys and the mouse.
extension Screen {
  mutating func take(_ input: TerminalInput, at time: Duration) -> [ScreenEffect] {
    switch input {
    case .key(let press): return take(press, at: time)
    case .heldKey(let key): return take(key, at: time)
    case .mouse(let report): return hasMouse ? take(report, at: time) : []
    case .paste(let text): return take(paste: text, at: time)
    case .tooLongPaste:
      refusePaste(at: time)
      return []
    case .focus(let isFocused):
      self.isFocused = isFocused
      return isFocused ? [] : endSeek()
    case .answer: return []
    }
  }

  /// Handles a key on a terminal that reports how long keys are held. A repetition counts as a press, except for the two keys that seek.
  private mutating func take(_ key: HeldKey, at time: Duration) -> [ScreenEffect] {
    if let orders = seekKey.follow(key, at: time) { return orders.map { .order($0) } }
    guard key.phase != .released else { return [] }
    handledKey = key
    defer { handledKey = nil }
    return take(key.press, at: time)
  }

  mutating func endSeek() -> [ScreenEffect] { seekKey.end().map { .order($0) } }

  /// Goes to the next or previous track. If the terminal reports when the key is let go, seeks instead while it is held, unless there is no current
  /// track to seek in. A key that is still down after its seek has ended does nothing more.
  private mutating func skip(_ direction: SeekDirection, at time: Duration) -> [ScreenEffect] {
    let skip: PlayerOrder = direction == .forward ? .next : .previous
    guard let handledKey else { return [.order(skip)] }
    if handledKey.phase == .repeated { return [] }
    guard player.status?.current != nil else { return [.order(skip)] }
    return seekKey.take(handledKey, direction, at: time).map { .order($0) }
  }

  private mutating func take(_ press: KeyPress, at time: Duration) -> [ScreenEffect] {
    if press.modifiers == .alt, isTyping, LineEditor.edits(press) { return take(inField: press, at: time) }
    // A key pressed soon after Escape looks like that key with Alt. If the combination has no meaning, the two keys are handled one after the other.
    if press.modifiers == .alt,
      isTyping && handledKey != nil || prompt != nil || keys.meaning(of: begun + [press], on: tab) == .nothing
    {
      // A terminal that reports keys as such means this one. It must not end a line or drop marks, and then act on the list.
      if handledKey != nil || !press.looksLikeTwo {
        begun = []
        return []
      }
      return take(KeyPress(.escape), at: time) + take(KeyPress(press.key), at: time)
    }
    if let prompt { return take(press, in: prompt, at: time) }
    if isTypingSearch, search.take(press) { return [] }
    begun.append(press)
    switch keys.meaning(of: begun, on: tab) {
    case .begun:
      hold()
      return []
    case .action(let action):
      begun = []
      return act(action, at: time)
    case .nothing:
      let wasChord = begun.count > 1
      begun = []
      // The last key of a sequence without a meaning is not handled as a key of its own, because that might delete something.
      if wasChord { message = nil }
      // On some screens Enter has no other meaning than to do what is chosen in the menu.
      return menu != nil && !wasChord && press == KeyPress(.enter) ? act(.enter, at: time) : []
    }
  }

  /// Whether the keys go into a line of text.
  var isTyping: Bool {
    switch prompt {
    case .command, .narrowing: true
    case .question: false
    case nil: isTypingSearch
    }
  }

  private var isTypingSearch: Bool { tab == .search && pager == nil && search.isTyping && begun.isEmpty }

  private mutating func take(inField press: KeyPress, at time: Duration) -> [ScreenEffect] {
    if let prompt { return take(press, in: prompt, at: time) }
    _ = search.take(press)
    return []
  }

  // MARK: Actions

  mutating func act(_ action: KeyAction, at time: Duration) -> [ScreenEffect] {
    let hadRange = picks.rangeStart != nil
    if hadRange, action.isOrderForRows {
      guard endRange(for: action, at: time) else { return [] }
    } else if hadRange, !action.movesInList {
      endRange(at: time)
    }
    if hadRange, action == .visual { return [] }
    if !showsList, action.needsList(on: tab) {
      say("the window is too low for a list", at: time)
      return []
    }
    if pager != nil, let effects = actInPager(action) { return effects }
    if menu != nil, let effects = actInMenu(action, at: time) { return effects }
    switch action {
    case .screen(let tab): show(tab)
    case .nextScreen: show(Self.tab(after: tab, by: 1))
    case .previousScreen: show(Self.tab(after: tab, by: -1))
    case .commandLine: begin(.command)
    case .addToList: askForList(at: time)
    case .narrow: narrow(at: time)
    case .help:
      pager = Pager(
        "Keys on \(tab.name); / finds one", keys.help(for: tab).map { (left: $0.keys, right: $0.summary) })
    case .escape: escape()
    case .suspend: return endSeek() + [.suspend]
    case .redraw: return [.redraw, .needStatus]
    case .leave: return leave(stops: false)
    // Without an agent there is no music, and the bus would start one for the order.
    case .leaveAndStop: return leave(stops: player.lost == nil)
    case .command(let line): return run(line, at: time)
    default: return transport(action, at: time) ?? edit(action, at: time) ?? onList(action, at: time)
    }
    return []
  }

  private mutating func narrow(at time: Duration) {
    switch tab {
    case .queue, .library: begin(.narrowing)
    case .search: search.type()
    case .lists, .now, .pads, .jobs: say("there is nothing to narrow on \(tab.name)", at: time)
    }
  }

  private mutating func actInPager(_ action: KeyAction) -> [ScreenEffect]? {
    switch action {
    case .escape, .leave, .help, .enter, .details:
      pager = nil
      return []
    case .narrow:
      begin(.narrowing)
      return []
    case .current:
      pager = nil
      return nil
    default:
      if pager?.take(action) == true { return [] }
      return action.needsListInView && !isAboutPager(action) ? [] : nil
    }
  }

  /// Whether the action is for the track that the text is about.
  private func isAboutPager(_ action: KeyAction) -> Bool {
    guard let track = pager?.track, let subject, track.isSame(as: subject), !queue.isMarking || tab != .queue
    else { return false }
    return switch action {
    case .rate, .copy, .remove, .addToList: true
    default: false
    }
  }

  /// Handles an action while the menu is shown. Any action but moving in it closes the menu.
  private mutating func actInMenu(_ action: KeyAction, at time: Duration) -> [ScreenEffect]? {
    if menu?.take(action) == true { return [] }
    let chosen = menu?.chosen
    menu = nil
    switch action {
    case .escape, .leave, .menu, .left: return []
    case .enter, .right: return chosen.map { act($0, at: time) }
    default: return nil
    }
  }

  private mutating func openMenu(at time: Duration) {
    guard let title = chosenTitle else { return say("nothing is chosen", at: time) }
    let isMarking = tab == .queue ? queue.isMarking : hasPicks
    menu = Menu(title, on: tab, isTrack: subject != nil && !isMarking, keys)
    hold()
  }

  /// Notes what is chosen, so that what is done with it in a moment is done to nothing else.
  private mutating func hold() {
    held = subject
    heldChoice =
      cursorRow == nil ? nil : HeldChoice(row: choice(fromHere: false), fromHere: choice(fromHere: true))
  }

  private static func tab(after tab: ScreenTab, by step: Int) -> ScreenTab {
    let all = ScreenTab.allCases
    let place = all.firstIndex(of: tab) ?? 0
    return all[(place + step + all.count) % all.count]
  }

  /// Closes the screen, and has the next one begin on the same list. Not on Search and Pads, where a digit leads to no other screen.
  mutating func leave(stops: Bool) -> [ScreenEffect] {
    let last = tab == .search || tab == .pads ? formerTab : tab
    let kept = last == firstTab ? [] : [ScreenEffect.remember(KeptLine(.screen, last.name))]
    return endSeek() + kept + [.leave(stops: stops)]
  }

  mutating func show(_ tab: ScreenTab) {
    if tab != self.tab, self.tab != .pads, self.tab != .search { formerTab = self.tab }
    // Words that are being typed were for the list that is left.
    if tab != self.tab, prompt == .narrowing { prompt = nil }
    (self.tab, pager, menu) = (tab, nil, nil)
    if tab == .search { search.typeAnother() }
    // Playlists may have come and gone: no news tells of them.
    if tab == .lists || tab == .search { lists.forget() }
    if tab == .now { now.forget() }
    if tab == .pads { pads.forget() }
  }

  private mutating func escape() {
    switch tab {
    case .queue where queue.isMarking: queue.clearMarks()
    case .queue: queue.narrow("")
    case .search where search.isTyping && !search.isEmpty: search.empty()
    case _ where hasPicks: picks.clear()
    case .library: library.narrow("")
    case .search where !search.isEmpty: search.empty()
    case .search, .pads: show(formerTab)
    default: break
    }
    message = nil
  }

  /// The effects of an action for the player, the same on every screen; nil for any other action.
  private mutating func transport(_ action: KeyAction, at time: Duration) -> [ScreenEffect]? {
    switch action {
    case .playPause: return [.order(.toggle)]
    case .next: return skip(.forward, at: time)
    case .previous: return skip(.backward, at: time)
    case .seek(let seconds): return [.order(.seek(.seconds(seconds)))]
    case .volume(let percent): return [.changeVolume(Double(percent) / 100)]
    case .mute: return [.toggleMute]
    case .repeatMode:
      let modes: [RepeatMode] = [.none, .all, .one]
      return [.setRepeat(Self.next(player.status?.repeatMode ?? .none, of: modes))]
    case .shuffleMode:
      let modes: [ShuffleMode] = [.off, .songs, .albums]
      return [.setShuffle(Self.next(player.status?.shuffleMode ?? .off, of: modes))]
    case .undo: return [.edit(.undo)]
    case .redo: return [.edit(.redo)]
    default: return nil
    }
  }

  private static func next<Mode: Equatable>(_ mode: Mode, of modes: [Mode]) -> Mode {
    modes[((modes.firstIndex(of: mode) ?? -1) + 1) % modes.count]
  }

  /// The effects of an action that edits the queue, rates a track, orders a job or strikes a pad; nil for any other action.
  private mutating func edit(_ action: KeyAction, at time: Duration) -> [ScreenEffect]? {
    switch action {
    case .remove where tab == .queue: return order(.remove, at: time)
    case .sort(let key) where tab == .queue: return order(.sort(key), at: time)
    case .shift(let step) where tab == .queue:
      let moves = order(.shift(step), at: time)
      if moves.isEmpty, queue.narrowing != nil {
        say("rows are moved in the whole list; Esc shows it", at: time)
      }
      return moves
    case .append: return use(.append, at: time)
    case .addNext: return use(.addNext, at: time)
    case .rate(let rating):
      if tab == .queue, queue.isMarking, queue.markedTracks == nil {
        return [.rateRows(queue.markedRows, rating)]
      }
      let tracks = ratedTracks(at: time)
      return tracks.isEmpty ? [] : [.rate(tracks, rating)]
    case .suspendJob:
      return jobs.chosen.map { [.job($0.state == .suspended ? .resume : .suspend, $0.id)] } ?? []
    case .strike(let index):
      guard let hit = pads.strike(index, at: time) else {
        say("the kit has no pad \(index + 1)", at: time)
        return []
      }
      return [hit]
    case .stopPads: return [.stopPads]
    case .cancelJob: return jobs.chosen.map { [.job(.cancel, $0.id)] } ?? []
    default: return nil
    }
  }

  /// The track that an action applies to: the chosen track of a list, or the current track on the screen Now. It stays the same while the action is
  /// chosen.
  var subject: TrackRow? {
    if let held { return held }
    return switch tab {
    case .queue: queue.chosen
    case .library: library.chosen
    case .search: search.chosen
    case .now: player.status?.current.map { TrackRow($0) }
    case .lists, .pads, .jobs: nil
    }
  }

  /// The tracks that are to be rated: the marked ones, or the chosen one. Says so if some of the marked rows can't be, because they are no tracks.
  private mutating func ratedTracks(at time: Duration) -> [RatedTrack] {
    if tab == .queue, queue.isMarking, let tracks = queue.markedTracks { return tracks }
    guard hasPicks else { return track(at: time).map { [$0.rated] } ?? [] }
    let tracks: [RatedTrack] = picks.choices.compactMap {
      if case .item(let id) = $0 { .item(id) } else { nil }
    }
    let count = picks.choices.count
    if tracks.count < count {
      say("\(tracks.count) of \(count) marked rows can be rated: the others are no tracks", at: time)
    }
    return tracks
  }

  /// The track of the chosen row, or on Now what plays. If there is none, shows a message that says why nothing is done.
  private mutating func track(at time: Duration) -> TrackRow? {
    if subject == nil {
      say(chosenTitle == nil ? "nothing is chosen" : "this key works on tracks only", at: time)
    }
    return subject
  }

  /// The name of what is chosen on this screen; nil if nothing is.
  private var chosenTitle: String? {
    switch tab {
    case .queue where queue.isMarking: queue.summary.left
    case .queue, .now: subject?.title
    case _ where hasPicks: "\(markedRows) marked"
    case .library: library.chosenTitle
    case .search: search.chosenTitle
    case .lists: lists.chosen
    case .jobs: jobs.chosen?.title
    case .pads: tab.name
    }
  }

  private mutating func use(_ use: LibraryUse, at time: Duration) -> [ScreenEffect] {
    if hasPicks, let choice = picks.choice {
      picks.clear()
      return [.use(choice, use)]
    }
    let choice = heldChoice.map { use == .play ? $0.fromHere : $0.row } ?? choice(fromHere: use == .play)
    if choice == nil { say("nothing is chosen", at: time) }
    return choice.map { [.use($0, use)] } ?? []
  }

  /// What the chosen row of a list stands for, with all that comes after it if `fromHere`.
  func choice(fromHere: Bool) -> LibraryChoice? {
    switch tab {
    case .library: library.choice(fromHere: fromHere)
    case .search: search.choice(fromHere: fromHere)
    case .lists: lists.chosen.map { .list($0) }
    case .queue, .now, .pads, .jobs: nil
    }
  }

  private mutating func onList(_ action: KeyAction, at time: Duration) -> [ScreenEffect] {
    // The number of marked rows stands where a message does.
    if action.isOfMarks, message?.isFailure == false { message = nil }
    switch action {
    case .enter: return enter(at: time)
    case .left: library.step(-1)
    case .right: library.step(1)
    case .nextColumn: library.stepRound()
    case .mark: markRow(at: time)
    case .markDown:
      markRow(at: time)
      move(.move(1))
    case .visual: if tab == .queue { queue.markRange() } else { picks.rangeStart = cursorRow }
    case .invert: invertMarks(at: time)
    case .markAlbum: markAlbum(at: time)
    case .current: if tab == .queue { queue.goToCurrent() } else { show(.queue); queue.goToCurrent() }
    case .details: return showDetails(at: time)
    case .menu: openMenu(at: time)
    case .lyrics: if !now.toggleLyrics() { say("no words in its tags", at: time) }
    case .copy: return track(at: time).map { [.copy($0.place)] } ?? []
    case .hit(let step): hit(step, at: time)
    default: move(action)
    }
    return []
  }

  /// Shows what is known of the track here, and asks for the rest.
  private mutating func showDetails(at time: Duration) -> [ScreenEffect] {
    if tab == .lists, let name = lists.chosen {
      return [.command(["playlist", "show", "--", name], line: "playlist show \(name)")]
    }
    guard let track = track(at: time) else { return [] }
    let known = tab == .now ? player.status?.current : nil
    pager = Pager("All that is known of it", Details.lines(track, known), of: track)
    let row = tab == .queue ? queue.chosenRow : tab == .now ? player.status?.queueRow : nil
    return [.needDetails(track.rated, row: row)]
  }

  private mutating func enter(at time: Duration) -> [ScreenEffect] {
    switch tab {
    case .queue:
      if queue.isEmpty, let offer = library.offer { return addFolder(offer) }
      return order(.play, at: time)
    case .library:
      if let offer = library.offer { return addFolder(offer) }
      return use(.play, at: time)
    case .search, .lists: return use(.play, at: time)
    case .jobs:
      if let why = jobs.chosen?.why { say(why, isFailure: jobs.chosen?.state == .failed, at: time) }
    case .now, .pads: break
    }
    return []
  }

  private func addFolder(_ folder: String) -> [ScreenEffect] {
    [.command(["library", "add", folder], line: "library add \(folder)")]
  }

  // MARK: Moving

  private mutating func markRow(at time: Duration) {
    if tab == .queue { queue.mark() } else { mark(at: time) }
  }

  private mutating func move(_ action: KeyAction) {
    if tab == .now, now.cursor.scroll(action) { return }
    changeCursor { $0.move(action) }
  }

  private mutating func changeCursor(_ change: (inout ListCursor) -> Void) {
    switch tab {
    case .queue: queue.change(change)
    case .library: change(&library.cursor)
    case .search: change(&search.cursor)
    case .lists: change(&lists.cursor)
    case .jobs: change(&jobs.cursor)
    case .now: change(&now.cursor)
    case .pads: break
    }
  }

  /// Goes to the next row with the words, or the one before, and round at the end. If all rows are shown again, those with the last words are shown
  /// once more.
  private mutating func hit(_ step: Int, at time: Duration) {
    let isNarrow = tab == .queue ? queue.narrowing != nil : tab == .library && !library.words.isEmpty
    // A narrowed list shows only rows with the words, so the next of them is the next row.
    if isNarrow { return tab == .queue ? queue.goOn(step) : library.cursor.goRound(by: step) }
    guard [.queue, .library].contains(tab), let last = listWords else {
      return say("no words were typed yet; / begins them", at: time)
    }
    if tab == .queue { return queue.narrow(last, goingOn: step) }
    // The range is one of rows that are gone from the list then.
    endRange(at: time)
    library.narrow(last)
  }

  // MARK: The mouse

  private mutating func take(_ report: MouseReport, at time: Duration) -> [ScreenEffect] {
    if report.action == .press { endRange(at: time) }
    let isPlayer = report.row >= size.rows - 2
    switch report.action {
    case .wheelUp, .wheelDown:
      let step = report.action == .wheelUp ? -1 : 1
      if isPlayer { return [.order(.seek(.seconds(-5 * step)))] }
      guard showsList else { return [] }
      if menu?.take(.move(step)) == true { return [] }
      if pager != nil { _ = pager?.take(.move(3 * step)) } else { changeCursor { $0.scroll(by: 3 * step) } }
    case .press:
      isSeekingByMouse = isPlayer && player.part(atColumn: report.column) != nil
      if isPlayer {
        return player.part(atColumn: report.column).map { [.order(.seekToPart($0))] } ?? [.order(.toggle)]
      }
      guard showsList else { return [] }
      if report.row == 0 {
        if let place = tabPlaces.first(where: { $0.1.contains(report.column) }) { show(place.0) }
      } else if pager == nil {
        return click(report, at: time)
      }
    case .drag:
      // A button that was pressed on a row was not meant for the bar.
      guard isPlayer, isSeekingByMouse else { return [] }
      return player.part(atColumn: report.column).map { [.order(.seekToPart($0))] } ?? []
    case .release: isSeekingByMouse = false
    }
    return []
  }

  /// Chooses the row that is clicked. If it is chosen already, does the same as Enter.
  private mutating func click(_ report: MouseReport, at time: Duration) -> [ScreenEffect] {
    guard listArea.contains(report.row) else { return [] }
    let line = report.row - listArea.lowerBound - 1
    if let isChosen = menu?.choose(line: line) {
      return isChosen ? actInMenu(.enter, at: time) ?? [] : []
    }
    if tab == .pads {
      let index = pads.index(
        atRow: report.row, column: report.column, in: listArea.dropFirstRow, width: size.columns)
      return index.flatMap { pads.strike($0, at: time) }.map { [$0] } ?? []
    }
    let offset = report.row - listArea.lowerBound - (tab == .search ? 2 : 1)
    if tab == .library { return library.click(row: offset, column: report.column) ? enter(at: time) : [] }
    // While words are typed, the first click only leaves the field and chooses a row.
    let wasTyping = tab == .search && search.isTyping
    if tab == .search {
      if offset < 0 { search.type() } else { search.leaveField() }
    }
    var isSame = false
    let step = tab == .jobs ? offset / 2 : offset
    let found = tab == .search ? search.row(atLine: offset) : nil
    if tab == .search, found == nil { return [] }
    changeCursor { cursor in
      let row = found ?? cursor.top + step
      guard offset >= 0, row < cursor.count else { return }
      isSame = row == cursor.row && !wasTyping
      cursor.choose(row)
    }
    return isSame ? enter(at: time) : []
  }
}
