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
@AgentLoop
final class HereScreen {
  private enum Way { case terminal, lines, nothing }

  private let way: Way
  private let palette: Palette
  private var timer: LoopTimer?
  private var last = ""

  /// How often the line is renewed while sound moves.
  private var interval: Duration { way == .terminal ? .milliseconds(300) : .seconds(1) }

  init(always: Bool) {
    way = Terminal.isTerminal(STDOUT_FILENO) ? .terminal : always ? .lines : .nothing
    palette = Commands.palette(of: STDOUT_FILENO)
  }

  /// Shows where the player is, and goes on doing so while it moves.
  func show(_ service: PlayerService, _ items: ItemService) {
    guard way != .nothing, timer == nil else { return }
    draw(service, items)
    guard service.player.state == .playing else { return }
    timer = AgentLoop.after(interval) { [weak self] in
      self?.timer = nil
      self?.show(service, items)
    }
  }

  /// Writes an error above the line.
  func complain(_ error: CommandError) {
    clear()
    _ = try? LineWriter.errors.write(line: "fermata: \(error)")
  }

  /// Leaves the screen as a person would like to find it.
  func end() {
    timer?.cancel()
    if way == .terminal, !last.isEmpty { Commands.write("\n") }
  }

  private func clear() {
    guard way == .terminal, !last.isEmpty else { return }
    Commands.write("\r\u{1B}[K")
    last = ""
  }

  private func draw(_ service: PlayerService, _ items: ItemService) {
    guard let text = text(service, items), text != last else { return }
    last = text
    Commands.write(way == .terminal ? "\r\u{1B}[K\(text)" : "\(text)\n")
  }

  private func text(_ service: PlayerService, _ items: ItemService) -> String? {
    let player = service.player
    guard let current = player.queue.current, let entry = player.queue.entry(current) else { return nil }
    let columns = way == .terminal ? Terminal.columns(of: STDOUT_FILENO) ?? 80 : 80
    let title = StyledText.outside(Self.title(of: entry, items), .bold)
    var line = StyledText(Self.sign(of: player)) + title + StyledText("  ")
    if let why = player.session.why {
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
