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

/// Shows what the player inside this process plays. On a terminal that is one living line. Elsewhere it is a line for each track, or,
/// if `always` is set, one line a second. Only on the loop.
@AgentLoop
final class HereScreen {
  /// What is written: one line again and again, a line a second, or a line a track.
  private enum Form { case living, lines, tracks }

  private let service: PlayerService
  private let items: ItemService
  private let form: Form
  private let palette: Palette
  private var timer: LoopTimer?
  private let line = LivingLine()
  /// What a key has done, to be shown for a moment.
  private var note: (text: String, until: Duration)?
  /// Lines that stand below the line, and when they go by themselves.
  private var help: [String] = []
  private var helpTimer: LoopTimer?
  /// The last line that was written.
  private var last = ""
  private let announcer = Announcer(announced: nil)
  /// Until this time nothing is shown while the player still connects to the sound server.
  private var patientUntil: Duration?

  /// How often the line is rewritten while the track plays.
  private var interval: Duration { form == .living ? .milliseconds(300) : .seconds(1) }

  init(_ service: PlayerService, _ items: ItemService, always: Bool) {
    self.service = service
    self.items = items
    form = Terminal.isTerminal(STDOUT_FILENO) ? .living : always ? .lines : .tracks
    palette = Printer.palette
    announcer.askAgain = { [weak self] in self?.nameTrack() }
  }

  /// Shows the player's position, and keeps showing it while the track plays.
  func show() {
    if form == .tracks { return nameTrack() }
    guard timer == nil, !isTooEarly() else { return }
    draw()
    guard service.player.state == .playing else { return }
    timer = AgentLoop.after(interval) { [weak self] in
      self?.timer = nil
      self?.show()
    }
  }

  /// Shows what a key has done, such as the new volume, at once and for two seconds.
  func show(note: String) {
    guard form == .living else { return }
    self.note = (note, AgentLoop.now + .seconds(2))
    draw()
    AgentLoop.after(.seconds(2)) { [weak self] in self?.draw() }
  }

  /// Shows lines, such as the keys, below the line that is rewritten. They go after a while, or by `hideLines`. Without a terminal
  /// nothing is shown.
  func show(lines: [String]) {
    guard form == .living else { return }
    help = lines
    draw()
    helpTimer?.cancel()
    helpTimer = AgentLoop.after(.seconds(15)) { [weak self] in self?.hideLines() }
  }

  /// Takes those lines away.
  func hideLines() {
    guard !help.isEmpty else { return }
    helpTimer?.cancel()
    help = []
    draw()
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
    if line.isShown { draw() }
  }

  /// Leaves the line where it is, because another program will use the terminal.
  func leave() { line.leave() }

  /// Writes an error above the line.
  func complain(_ error: CommandError) {
    line.clear()
    Printer.complain(error)
  }

  /// Ends the display. Nothing of the line stays.
  func end() {
    timer?.cancel()
    helpTimer?.cancel()
    line.clear()
  }

  private func draw() {
    guard let text = text() else { return }
    if form == .living {
      return line.draw(text, below: help.map { TerminalText.truncated($0, to: line.columns - 1) })
    }
    if text != last { Printer.say("\(text)\n") }
    last = text
  }

  /// Writes a line for a track when it is heard, once.
  private func nameTrack() {
    let player = service.player
    guard player.state == .playing, let current = player.queue.current,
      let entry = player.queue.entry(current)
    else { return }
    _ = items.item(entry)
    if announcer.isDue(current, awaitsSound: player.awaitsSound, isReading: items.isReading(current)) {
      Printer.say(TerminalText.printable(title(of: entry)) + "\n")
    }
  }

  private func text() -> String? {
    let player = service.player
    guard let current = player.queue.current, let entry = player.queue.entry(current) else { return nil }
    return LivingLine.text(
      player.state, title(of: entry), note: note.flatMap { AgentLoop.now < $0.until ? $0.text : nil },
      why: service.why.map { PlainWords.state(player.state, $0.text) }, position: service.position,
      length: player.length, columns: form == .living ? line.columns : 80
    ).rendered(palette)
  }

  private func title(of entry: Entry) -> String {
    if entry.location == Tune.location { return "A tune" }
    let item = items.item(entry).item
    let artist = item.tags.artist.isEmpty ? "" : "\(item.displayArtist) – "
    return artist + item.displayTitle
  }
}
