// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FaceModel
import FermataAgent
import Glibc
import MediaModel
import PlaybackLogic
import TerminalIO

/// Shows what the player inside this process plays. On a terminal that is one line, which is overwritten again and
/// again. Elsewhere nothing is shown, unless `always` is set; then it is one line a second.
///
/// On a terminal the cursor stays at the beginning of the line. If the terminal is made narrower, it breaks the line
/// into several. The cursor is then still before the first of them, so all of them can be erased. Only on the loop.
@AgentLoop
final class HereScreen {
  private enum Way { case terminal, lines, nothing }

  private let way: Way
  private let palette: Palette
  private var timer: LoopTimer?
  /// The volume to show, for a moment after a key has changed it.
  private var said: String?
  private var saidUntil = Duration.zero
  private var last = ""
  /// Until this time, a connection to the sound server that is still being made is not shown.
  private var patientUntil: Duration?

  /// How often the line is rewritten while the track plays.
  private var interval: Duration { way == .terminal ? .milliseconds(300) : .seconds(1) }

  init(always: Bool) {
    way = Terminal.isTerminal(STDOUT_FILENO) ? .terminal : always ? .lines : .nothing
    palette = Printer.palette
  }

  /// Shows the player's position, and keeps showing it while the track plays.
  func show(_ service: PlayerService, _ items: ItemService) {
    guard way != .nothing, timer == nil, !isTooEarly(service, items) else { return }
    draw(service, items)
    guard service.player.state == .playing else { return }
    timer = AgentLoop.after(interval) { [weak self] in
      self?.timer = nil
      self?.show(service, items)
    }
  }

  /// Shows the volume at once, after a key has changed it.
  func show(_ service: PlayerService, _ items: ItemService, volume: Double) {
    guard way != .nothing else { return }
    said = StatusText.percent(volume)
    saidUntil = AgentLoop.now + .seconds(2)
    draw(service, items)
    AgentLoop.after(.seconds(2)) { [weak self] in
      self?.draw(service, items)
    }
  }

  /// Whether it is too early to show that the player waits for the server. Connecting is usually too quick to notice,
  /// so waiting is only shown when it lasts.
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

  /// Redraws the line for a new width of the terminal, even if the track doesn't play.
  func resize(_ service: PlayerService, _ items: ItemService) {
    if way == .terminal, !last.isEmpty { draw(service, items) }
  }

  /// Leaves the line and moves to a new one, because another program will use the terminal. The next line is drawn
  /// from scratch.
  func leave() {
    guard way == .terminal, !last.isEmpty else { return }
    Printer.say("\n")
    last = ""
  }

  /// Writes an error above the line.
  func complain(_ error: CommandError) {
    clear()
    Printer.complain(error)
  }

  /// Ends the display and leaves the cursor on a new line.
  func end() {
    timer?.cancel()
    leave()
  }

  private func clear() {
    guard way == .terminal, !last.isEmpty else { return }
    Printer.say("\r\u{1B}[J")
    last = ""
  }

  private func draw(_ service: PlayerService, _ items: ItemService) {
    // In the background the terminal belongs to another process.
    guard way != .terminal || Terminal.isForeground(STDOUT_FILENO) else { return last = "" }
    guard let text = text(service, items), text != last else { return }
    last = text
    Printer.say(way == .terminal ? "\r\u{1B}[J\(text)\r" : "\(text)\n")
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

/// Reads keys from standard input as long as this object is kept. It puts the terminal into raw mode meanwhile. If
/// standard input or output is no terminal, there are no keys. While the process is in the background it doesn't
/// read, because the keys belong to another process and reading them would stop this one. Only on the loop.
@AgentLoop
final class HereKeys {
  private var mode: RawMode?
  private var reader = KeyReader()
  private var watch: LoopWatch?
  private var escape: LoopTimer?
  private var retry: LoopTimer?
  private let pressed: @AgentLoop (Key) -> Void

  /// How often it checks whether the process is in the foreground again: a shell sends no signal when it brings a
  /// running process there.
  private static let retryWait = Duration.seconds(1)

  init(_ pressed: @escaping @AgentLoop (Key) -> Void) {
    self.pressed = pressed
    if Terminal.isTerminal(STDIN_FILENO), Terminal.isTerminal(STDOUT_FILENO) { begin() }
  }

  /// Cancels the timer. Releasing `mode` restores the terminal.
  isolated deinit { retry?.cancel() }

  private func begin() {
    mode = nil
    guard Terminal.isForeground(STDIN_FILENO) else {
      watch = nil
      retry = AgentLoop.after(Self.retryWait) { [weak self] in self?.begin() }
      return
    }
    mode = try? RawMode()
    guard mode != nil else { return }
    watch = LoopWatch(descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
  }

  private func read() {
    guard Terminal.isForeground(STDIN_FILENO) else { return begin() }
    guard let keys = try? reader.read() else {
      // The terminal is gone, but the music can go on.
      watch = nil
      return
    }
    for key in keys { pressed(key) }
    escape?.cancel()
    guard reader.isPending else { return }
    escape = AgentLoop.after(KeyReader.escapeWait) { [weak self] in self?.expire() }
  }

  private func expire() { for key in reader.expire() { pressed(key) } }
}
