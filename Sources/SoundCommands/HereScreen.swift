// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FaceModel
import FermataAgent
import FermataCommands
import Glibc
import MediaModel
import PlaybackLogic
import TerminalIO

/// Shows what the player inside this process plays. On a terminal that is one line, which is overwritten again and
/// again. Elsewhere nothing is shown, unless `always` is set; then it is one line a second.
///
/// On a terminal the cursor stays at the beginning of the line. If the terminal is made narrower, it breaks the line
/// into several. The cursor is then still at the beginning of the first, so all of them can be erased. Only on the
/// loop.
@AgentLoop
final class HereScreen {
  /// What is written: one line again and again, a line each time, or nothing.
  private enum Form { case overwritten, lines, nothing }

  private let service: PlayerService
  private let items: ItemService
  private let form: Form
  private let palette: Palette
  private var timer: LoopTimer?
  /// The volume to show, for a moment after a key has changed it.
  private var volume: (text: String, until: Duration)?
  private var last = ""
  /// Until this time nothing is shown while the player still connects to the sound server.
  private var patientUntil: Duration?

  /// How often the line is rewritten while the track plays.
  private var interval: Duration { form == .overwritten ? .milliseconds(300) : .seconds(1) }

  init(_ service: PlayerService, _ items: ItemService, always: Bool) {
    self.service = service
    self.items = items
    form = Terminal.isTerminal(STDOUT_FILENO) ? .overwritten : always ? .lines : .nothing
    palette = Printer.palette
  }

  /// Shows the player's position, and keeps showing it while the track plays.
  func show() {
    guard form != .nothing, timer == nil, !isTooEarly() else { return }
    draw()
    guard service.player.state == .playing else { return }
    timer = AgentLoop.after(interval) { [weak self] in
      self?.timer = nil
      self?.show()
    }
  }

  /// Shows the volume at once and for two seconds, after a key has changed it.
  func show(volume: Double) {
    guard form != .nothing else { return }
    self.volume = (StatusText.percent(volume), AgentLoop.now + .seconds(2))
    draw()
    AgentLoop.after(.seconds(2)) { [weak self] in self?.draw() }
  }

  /// Whether it is too early to show that the player waits for the server. Connecting is usually too quick to notice,
  /// so waiting is only shown when it lasts.
  private func isTooEarly() -> Bool {
    guard service.player.session.why == .interrupted(by: .server), last.isEmpty else { return false }
    let end = patientUntil ?? AgentLoop.now + .milliseconds(500)
    guard AgentLoop.now < end else { return false }
    if patientUntil == nil {
      patientUntil = end
      AgentLoop.after(.milliseconds(500)) { [weak self] in self?.show() }
    }
    return true
  }

  /// Redraws the line for a new width of the terminal, even if the track doesn't play.
  func resize() {
    if form == .overwritten, !last.isEmpty { draw() }
  }

  /// Leaves the line and moves to a new one, because another program will use the terminal. The next line is drawn
  /// from scratch.
  func leave() {
    guard form == .overwritten, !last.isEmpty else { return }
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
    guard form == .overwritten, !last.isEmpty else { return }
    Printer.say("\r\u{1B}[J")
    last = ""
  }

  private func draw() {
    // In the background the terminal belongs to another process.
    guard form != .overwritten || Terminal.isForeground(STDOUT_FILENO) else { return last = "" }
    guard let text = text(), text != last else { return }
    last = text
    Printer.say(form == .overwritten ? "\r\u{1B}[J\(text)\r" : "\(text)\n")
  }

  private func text() -> String? {
    let player = service.player
    guard let current = player.queue.current, let entry = player.queue.entry(current) else { return nil }
    let columns = form == .overwritten ? Terminal.columns(of: STDOUT_FILENO) ?? 80 : 80
    let title = StyledText.outside(title(of: entry), .bold)
    var line = StyledText(StatusText.sign(of: player.state) + " ") + title + StyledText("  ")
    if let volume, AgentLoop.now < volume.until { line += StyledText("\(volume.text)  ", .dim) }
    if let why = service.why {
      line += .outside("(\(PlainWords.state(player.state, why.text)))  ", .dim)
    }
    let width = columns - 1 - line.width
    line += ProgressLine.text(position: service.position, length: player.length, width: max(12, width))
    return line.truncated(to: columns - 1).rendered(palette)
  }

  private func title(of entry: Entry) -> String {
    if entry.location == Tune.location { return "A tune" }
    let item = items.item(entry).item
    let artist = item.tags.artist.isEmpty ? "" : "\(item.displayArtist) – "
    return artist + item.displayTitle
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
