// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

// Draws the screen.
extension Screen {
  /// With fewer rows than this only the player is shown.
  static let leastRows = 8

  var showsList: Bool { size.rows >= Self.leastRows }

  /// The rows of the list, or of the pager or menu that replaces it.
  var listArea: Range<Int> { 1..<max(1, size.rows - 3) }

  /// All of a frame but the player's last line, which shows the time, and the prompt. It is kept because the screen is drawn once a second while music
  /// plays. None of the functions that draw it is given a time, so it changes only when an event comes, when another line is sung, or with each second
  /// of a sleep timer that it shows.
  struct Still: Sendable {
    let frame: Frame
    /// The line of the lyrics that is being sung; nil if none is, or if nobody sees it.
    let sung: Int?
    /// What is left of the sleep timer; nil if it does not run, or if the player's last line shows it.
    let sleep: Duration?
    /// The title for the terminal's window.
    let title: String
  }

  /// The frame for the terminal's size. Drawing also notes the places that can be clicked.
  package mutating func frame(at time: Duration) -> Frame {
    let sung = tab == .now ? player.position(at: time).flatMap { now.sung(at: $0) } : nil
    let sleep = player.why == nil ? nil : player.sleepLeft(at: time)
    if let still, still.sung == sung, still.sleep == sleep {} else { still = drawStill(sung, sleep) }
    var frame = still?.frame ?? Frame(size)
    player.drawProgress(&frame, at: time)
    drawPrompt(&frame)
    return frame
  }

  private mutating func drawStill(_ sung: Int?, _ sleep: Duration?) -> Still {
    var frame = Frame(size)
    if showsList {
      drawTabs(&frame)
      drawList(&frame, sung: sung)
      drawInfo(&frame, size.rows - 3)
    } else {
      frame.cursor = (max(0, size.rows - 2), 0)
      if message != nil, size.rows > 3 { drawInfo(&frame, size.rows - 3) }
    }
    player.drawTrack(&frame, sleep: sleep)
    return Still(frame: frame, sung: sung, sleep: sleep, title: player.title)
  }

  private func drawTabs(_ frame: inout Frame) {
    for (tab, columns) in tabPlaces {
      let isPresent = tab == self.tab
      frame.put(label(tab), at: 0, columns.lowerBound, isPresent ? CellStyle([.bold, .reverse]) : .plain)
    }
    let end = tabPlaces.last?.1.upperBound ?? 0
    if let headline = jobs.headline {
      frame.putRight(headline, at: 0, endingAt: size.columns - 1, from: end + 2, .dim)
    }
  }

  /// The columns of each tab on the first line.
  var tabPlaces: [(ScreenTab, Range<Int>)] {
    var column = 0
    return ScreenTab.allCases.map { tab in
      let width = label(tab).utf8.count
      defer { column += width }
      return (tab, column..<column + width)
    }
  }

  /// The text on a screen's tab. If there is little room, only the present screen's tab has its name; if there is hardly any, there are only digits.
  private func label(_ tab: ScreenTab) -> String {
    let name = " \(tab.rawValue) \(tab.name) "
    if size.columns >= 63 { return name }
    if 3 * (ScreenTab.allCases.count - 1) + 3 + self.tab.name.utf8.count + 1 > size.columns {
      return "\(tab.rawValue) "
    }
    return tab == self.tab ? name : " \(tab.rawValue) "
  }

  private mutating func drawList(_ frame: inout Frame, sung: Int?) {
    let area = listArea
    if pager != nil {
      pager?.draw(&frame, rows: area)
      return
    }
    if menu != nil {
      menu?.draw(&frame, rows: area)
      return
    }
    let playing = player.status?.current?.item.id
    switch tab {
    case .queue:
      if queue.isEmpty {
        drawEmptyQueue(&frame, area)
      } else {
        let width = coverPlace.map { $0.column - 1 } ?? size.columns
        queue.draw(&frame, rows: area, width: width, sign: player.sign)
      }
    case .library: library.draw(&frame, rows: area, playing: playing, picks)
    case .search: search.draw(&frame, rows: area, playing: playing, picks)
    case .lists: lists.draw(&frame, rows: area.dropFirstRow, picks)
    case .pads: pads.draw(&frame, rows: area.dropFirstRow)
    case .now:
      let left = coverPlace.map { $0.column + $0.edge + 3 } ?? 3
      now.draw(&frame, rows: area, left: left, player.status, sung: sung)
    case .jobs: jobs.draw(&frame, rows: area.dropFirstRow)
    }
    if let place = coverPlace { cover.draw(&frame, at: place) }
  }

  private func drawEmptyQueue(_ frame: inout Frame, _ area: Range<Int>) {
    var lines: [(String, CellStyle)] = [("The queue is empty.", .bold), ("", .plain)]
    if let offer = library.offer {
      lines += [
        ("Enter adds \(offer) to the library", .accent), (":play FOLDER  plays something else", .dim),
      ]
    } else {
      lines += [("2 shows the library, 3 searches it", .plain), (":play FOLDER  plays something else", .dim)]
    }
    frame.putMiddle(lines, rows: area)
    frame.cursor = (area.lowerBound, 0)
  }

  private func drawInfo(_ frame: inout Frame, _ row: Int) {
    let summary = summary
    if let message {
      let text = Self.withShortPath(message.text, columns: size.columns - 2)
      frame.put(text, at: row, 1, width: size.columns - 2, message.isFailure ? .failure : .accent)
      return
    }
    let hasRoom = size.columns >= 60 || summary.left.isEmpty
    let start = frame.putRight(
      hasRoom ? summary.right : "", at: row, endingAt: size.columns - 1, from: size.columns / 3, .dim)
    frame.put(summary.left, at: row, 1, width: start - 2, .accent)
  }

  private var summary: (left: String, right: String) {
    if !begun.isEmpty, case .begun(let rest) = keys.meaning(of: begun, on: tab) {
      // More than six keys may follow only where each is named by one word, so spaces are enough to part them.
      let (isMany, keys) = (rest.count > 6, begun.map(\.name).joined())
      let turned = isMany && size.columns >= 110 ? "a capital turns it round" : ""
      return ("\(keys) …  " + rest.prefix(12).joined(separator: isMany ? "  " : " · "), turned)
    }
    if menu != nil { return ("Enter or its key does it, Esc goes back", "") }
    if pager != nil { return ("Esc goes back, / finds", "") }
    if hasPicks, tab == .search, search.isTyping { return (search.summary, "\(markedRows) marked") }
    if hasPicks { return ("\(markedRows) marked", "\(keysOnLists()), Esc unmarks") }
    switch tab {
    case .queue: return queue.summary
    case .library: return (library.summary, keysOnLists())
    case .search:
      return (search.summary, search.isTyping ? "" : keysOnLists(plays: "plays from here"))
    case .lists: return ("", keysOnLists())
    case .pads: return pads.summary
    case .now: return ("", keysOnNow)
    case .jobs:
      return (
        "",
        told([([.suspendJob], "suspends or resumes"), ([.cancelJob], "cancels"), ([.enter], "shows errors")])
      )
    }
  }

  private func keysOnLists(plays: String = "plays") -> String {
    told([([.enter], plays), ([.append], "adds"), ([.addNext], "next")])
  }

  private var keysOnNow: String {
    let words = now.hasLyrics ? [([KeyAction.lyrics], now.showsLyrics ? "what is next" : "words")] : []
    return told(
      words + [([.seek(-5), .seek(5)], "5 seconds"), ([.seek(-30), .seek(30)], "30 seconds")]) + ", R rates"
  }

  /// Tells what keys do on this screen, as far as there are keys for it.
  private func told(_ rows: [(actions: [KeyAction], words: String)]) -> String {
    rows.compactMap { actions, words in
      let names = actions.compactMap { keys.name(of: $0, on: tab) }
      return names.count == actions.count ? "\(names.joined(separator: " ")) \(words)" : nil
    }.joined(separator: ", ")
  }

  /// A text in which only the name is left of the first path if all of it has no room: what is said of a file comes behind its path.
  static func withShortPath(_ text: String, columns: Int) -> String {
    guard TerminalText.width(text) > columns, let start = text.firstIndex(of: "/") else { return text }
    // A path ends before a colon or a question mark, or with the text.
    let path = text[start...].prefix { $0 != ":" && $0 != "?" }
    guard let slash = path.lastIndex(of: "/"), slash > start else { return text }
    return text[..<start] + "…" + text[slash...]
  }

  /// Draws the line that is typed. It is on the third row from below, or on the last one if there are only two.
  private func drawPrompt(_ frame: inout Frame) {
    let row = showsList ? size.rows - 3 : size.rows - 1
    switch prompt {
    case .command:
      let more = completions.count > 8 ? ["and \(completions.count - 8) more"] : []
      line.draw(":", &frame, row, hint: (completions.prefix(8) + more).joined(separator: "  "))
    case .narrowing: words.draw("/", &frame, row)
    case .question(let text, _, byEnter: _):
      frame.clear(row)
      let text = Self.withShortPath(text, columns: size.columns - 2)
      frame.put(text, at: row, 1, width: size.columns - 2, .warning)
    case nil: break
    }
  }
}

extension Range<Int> {
  /// All rows but the first, which stays blank between the tabs and a list without a heading.
  var dropFirstRow: Range<Int> { Swift.min(lowerBound + 1, upperBound)..<upperBound }
}
