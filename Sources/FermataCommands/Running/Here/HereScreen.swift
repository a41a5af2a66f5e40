// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FaceModel
import FermataAgent
import Glibc
import MediaModel
import PlaybackLogic
import TerminalIO

/// What a player inside this process shows: one line that is written over and over on a terminal, and nothing in a pipe
/// unless it is asked for; then it is a line a second.
///
/// On a terminal the cursor waits at the line's beginning. A terminal that is made narrower breaks the line into several, and the cursor
/// stays before the first of them, so that all are wiped.
@AgentLoop
final class HereScreen {
  private enum Way { case terminal, lines, nothing }

  private let way: Way
  private let palette: Palette
  private var timer: LoopTimer?
  /// The volume, for a moment after a key has changed it.
  private var said: String?
  private var saidUntil = Duration.zero
  private var last = ""
  /// Until when a server that is being connected to is no news.
  private var patientUntil: Duration?

  /// How often the line is renewed while sound moves.
  private var interval: Duration { way == .terminal ? .milliseconds(300) : .seconds(1) }

  init(always: Bool) {
    way = Terminal.isTerminal(STDOUT_FILENO) ? .terminal : always ? .lines : .nothing
    palette = Commands.palette(of: STDOUT_FILENO)
  }

  /// Shows where the player is, and goes on doing so while it moves.
  func show(_ service: PlayerService, _ items: ItemService) {
    guard way != .nothing, timer == nil, !isTooEarly(service, items) else { return }
    draw(service, items)
    guard service.player.state == .playing else { return }
    timer = AgentLoop.after(interval) { [weak self] in
      self?.timer = nil
      self?.show(service, items)
    }
  }

  /// Shows at once what a key has made of the volume.
  func show(_ service: PlayerService, _ items: ItemService, volume: Double) {
    guard way != .nothing else { return }
    said = StatusTexts.percent(volume)
    saidUntil = AgentLoop.now + .seconds(2)
    draw(service, items)
    AgentLoop.after(.seconds(2)) { [weak self] in
      self?.draw(service, items)
    }
  }

  /// Connecting takes no time that a person notices; only what lasts is shown.
  private func isTooEarly(_ service: PlayerService, _ items: ItemService) -> Bool {
    guard service.player.session.why == .interrupted(by: .server), last.isEmpty else { return false }
    let end = patientUntil ?? AgentLoop.now + .milliseconds(500)
    guard AgentLoop.now < end else { return false }
    if patientUntil == nil {
      patientUntil = end
      AgentLoop.after(.milliseconds(500)) { [weak self] in
        self?.show(service, items)
      }
    }
    return true
  }

  /// The terminal has another width: the line is another, also while nothing moves.
  func resize(_ service: PlayerService, _ items: ItemService) {
    if way == .terminal, !last.isEmpty { draw(service, items) }
  }

  /// Leaves the line as it is and the terminal to somebody else; what is shown next begins anew.
  func leave() {
    guard way == .terminal, !last.isEmpty else { return }
    Commands.say("\n")
    last = ""
  }

  /// Writes an error above the line.
  func complain(_ error: CommandError) {
    clear()
    _ = try? LineWriter.errors.write(line: "fermata: \(error)")
  }

  /// Leaves the screen as a person would like to find it.
  func end() {
    timer?.cancel()
    leave()
  }

  private func clear() {
    guard way == .terminal, !last.isEmpty else { return }
    Commands.say("\r\u{1B}[J")
    last = ""
  }

  private func draw(_ service: PlayerService, _ items: ItemService) {
    // In the background the terminal is somebody else's.
    guard way != .terminal || Terminal.isForeground(STDOUT_FILENO) else { return last = "" }
    guard let text = text(service, items), text != last else { return }
    last = text
    Commands.say(way == .terminal ? "\r\u{1B}[J\(text)\r" : "\(text)\n")
  }

  private func text(_ service: PlayerService, _ items: ItemService) -> String? {
    let player = service.player
    guard let current = player.queue.current, let entry = player.queue.entry(current) else { return nil }
    let columns = way == .terminal ? Terminal.columns(of: STDOUT_FILENO) ?? 80 : 80
    let title = StyledText.outside(Self.title(of: entry, items), .bold)
    var line = StyledText(Self.sign(of: player)) + title + StyledText("  ")
    if let said, AgentLoop.now < saidUntil { line += StyledText("\(said)  ", .dim) }
    if let why = service.why {
      line += .outside("(\(PlainWords.state(player.state, why.text)))  ", .dim)
    }
    let width = columns - 1 - line.width
    line += ProgressLine.text(position: service.position, length: player.length, width: max(12, width))
    return line.truncated(to: columns - 1).rendered(palette)
  }

  private static func title(of entry: Entry, _ items: ItemService) -> String {
    if entry.location == Tune.location { return "A tune" }
    let item = items.item(entry).item
    let artist = item.tags.artist.isEmpty ? "" : "\(item.displayArtist) – "
    return artist + item.displayTitle
  }

  private static func sign(of player: Player) -> String {
    switch player.state {
    case .playing: "▶ "
    case .paused, .interrupted: "⏸ "
    case .stopped: "⏹ "
    case .seekingForward: "⏩ "
    case .seekingBackward: "⏪ "
    }
  }
}
