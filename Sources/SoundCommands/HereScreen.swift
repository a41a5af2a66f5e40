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

/// Shows the current track of the player inside this process: on a terminal as one line that is rewritten in place, elsewhere as a line for each
/// track, or, if `always` is set, as one line a second. Only on the loop.
@AgentLoop
final class HereScreen {
  /// The form of the output: one line that is rewritten, a line a second, or a line a track.
  private enum Form { case living, lines, tracks }

  private let service: PlayerService
  private let items: ItemService
  private let form: Form
  private let palette: Palette
  private var timer: LoopTimer?
  private let line = LivingLine()
  /// A text about the effect of a key, and the time until which it is shown.
  private var note: (text: String, until: Duration)?
  /// Lines, such as the keys, that are shown below the line with the track's position.
  private var help: [String] = []
  private var helpTimer: LoopTimer?
  /// Why a text could not be written; nil if all were.
  private(set) var failure: CommandError?
  /// The last text that was written, so that an equal one is not written again.
  private var last = ""
  private let announcer = Announcer(announced: nil)
  /// Until this time nothing is shown while the player still connects to the sound server.
  private var patientUntil: Duration?

  /// How often the track's position is written anew while the track plays.
  private var interval: Duration { form == .living ? .milliseconds(300) : .seconds(1) }

  init(_ service: PlayerService, _ items: ItemService, always: Bool) {
    self.service = service
    self.items = items
    form = LivingLine.isPossible ? .living : always ? .lines : .tracks
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

  /// Shows a text about the effect of a key, such as the new volume, at once and for two seconds.
  func show(note: String) {
    guard form == .living else { return }
    self.note = (note, AgentLoop.now + .seconds(2))
    draw()
    AgentLoop.after(.seconds(2)) { [weak self] in self?.draw() }
  }

  /// Shows lines, such as the keys, below the line with the track's position. They disappear after a while, or by `hideLines`. Without a terminal
  /// nothing is shown.
  func show(lines: [String]) {
    guard form == .living else { return }
    help = lines
    draw()
    helpTimer?.cancel()
    helpTimer = AgentLoop.after(.seconds(15)) { [weak self] in self?.hideLines() }
  }

  /// Removes the lines that `show(lines:)` has shown.
  func hideLines() {
    guard !help.isEmpty else { return }
    helpTimer?.cancel()
    help = []
    draw()
  }

  /// Whether it is too early to show that the player waits for the server. Connecting is usually too quick to notice, so only a longer wait is shown.
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

  /// Redraws the line with the track's position for a new width of the terminal, even if the track doesn't play.
  func resize() {
    if line.isShown { draw() }
  }

  /// Leaves the line with the track's position as it is, because another program will use the terminal.
  func leave() { line.leave() }

  /// Writes an error above the line with the track's position.
  func complain(_ error: CommandError) {
    line.clear()
    Printer.complain(error)
  }

  /// Ends the display, and erases the line with the track's position.
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
    // The music would wait for a slow reader too.
    guard text != last, Terminal.takesText(STDOUT_FILENO) else { return }
    write("\(text)\n")
    last = text
  }

  /// The music does not end because a text about it could not be written.
  private func write(_ text: String) {
    do throws(CommandError) { try Printer.write(text) } catch { failure = failure ?? error }
  }

  /// Writes a line for a track when it begins to be heard, once.
  private func nameTrack() {
    let player = service.player
    guard player.state == .playing, let current = player.queue.current,
      let entry = player.queue.entry(current)
    else { return }
    _ = items.item(entry)
    let step = announcer.step(
      current, awaitsSound: player.awaitsSound, isReading: items.isReading(current))
    if step == .announce,
      Terminal.takesText(STDOUT_FILENO)
    {
      write(Printer.shown(title(of: entry)) + "\n")
    }
  }

  private func text() -> String? {
    let player = service.player
    guard let current = player.queue.current, let entry = player.queue.entry(current) else { return nil }
    return LivingLine.text(
      player.state, title(of: entry), note: note.flatMap { AgentLoop.now < $0.until ? $0.text : nil },
      why: service.why.map {
        PlainWords.state(player.state, $0.text, callers: service.playback.callers)
      }, position: service.position, length: player.length, columns: form == .living ? line.columns : 80
    ).rendered(palette)
  }

  private func title(of entry: Entry) -> String {
    if entry.location == Tune.location { return "A tune" }
    let item = items.item(entry).item
    let artist = item.tags.artist.isEmpty ? "" : "\(item.displayArtist) – "
    return artist + item.displayTitle
  }
}
