// SPDX-License-Identifier: MIT
package import AgentLoop
package import CommandModel
import FaceModel
import Glibc
import MediaModel
package import PlaybackLogic
import TerminalIO

/// A line at the bottom of a terminal that is rewritten in place.
///
/// The cursor stays at the beginning of the line. If the terminal is made narrower, it breaks the line into several. The cursor is then still at the
/// beginning of the first, so all of them can be erased. Only on the loop.
@AgentLoop
package final class LivingLine {
  private var last = ""

  package init() {}

  /// Whether the output is a terminal in which a line can be rewritten. One that calls itself `dumb`, as an editor's shell does, takes no escape
  /// sequences.
  package nonisolated static var isPossible: Bool { Printer.palette.hasStyles }

  /// Whether the line is visible.
  package var isShown: Bool { !last.isEmpty }

  /// The present number of columns of the terminal.
  package var columns: Int { Terminal.columns(of: STDOUT_FILENO) ?? 80 }

  /// Shows this text, and lines below it. Each has to fit into one line. In the background it does nothing, because the terminal belongs
  /// to another process then; nor while the terminal takes no text, because the loop must not wait for it.
  package func draw(_ text: String, below: [String] = []) {
    guard Terminal.isForeground(STDOUT_FILENO) else { return last = "" }
    let all = ([text] + below).joined(separator: "\r\n")
    guard all != last, Terminal.takesText(STDOUT_FILENO) else { return }
    last = all
    Printer.say("\r\u{1B}[J\(all)\r" + (below.isEmpty ? "" : "\u{1B}[\(below.count)A"))
  }

  /// Erases the line.
  package func clear() {
    guard isShown, Terminal.isForeground(STDOUT_FILENO) else { return }
    Printer.say("\r\u{1B}[J")
    last = ""
  }

  /// Call when something else was written since the last drawing, such as by the shell while the program was stopped: the line is drawn from scratch.
  package func forget() { last = "" }

  /// Leaves the line as it is and moves below it, because another program will use the terminal. The next line is drawn from scratch.
  package func leave() {
    guard isShown else { return }
    Printer.say(String(repeating: "\n", count: last.split(separator: "\r\n").count))
    last = ""
  }
}

// The texts for a line that is rewritten in place.
extension LivingLine {
  /// The line about a status, shorter than the terminal: the state, the title, the position in the track, and a bar.
  nonisolated static func text(_ status: StatusFace, columns: Int) -> StyledText {
    guard let current = status.current else { return StatusText.head(status).truncated(to: columns - 1) }
    let artist = StatusText.artist(of: current).map { "\($0) – " } ?? ""
    let why =
      status.state == .playing && status.why == nil
      ? nil : PlainWords.state(of: status)
    return text(
      status.state, artist + current.item.displayTitle, why: why, position: status.position ?? .zero,
      length: current.item.tags.duration, columns: columns)
  }

  /// The line about a track. `note` is a text to show for a moment, and `why` is the reason for silence, in words.
  package nonisolated static func text(
    _ state: PlaybackState, _ title: String, note: String? = nil, why: String?, position: Duration,
    length: Duration?, columns: Int
  ) -> StyledText {
    // The times, and the reason for silence, matter more than the end of a long title.
    let room = max(2, columns - 1)
    let least = min(room / 2, why == nil ? 24 : 14)
    let most = max(0, room - least - 2)
    var remark = StyledText("")
    if let note { remark += StyledText("  \(note)", .dim) }
    if let why { remark += .outside("  (\(why))", .dim) }
    let name = StyledText.outside(title, .bold).truncated(to: max(8, most - 2 - remark.width))
    let lead =
      (StyledText(StatusText.sign(of: state) + " ") + name + remark).truncated(to: most) + StyledText("  ")
    return
      (lead + ProgressLine.text(position: position, length: length, width: max(least, room - lead.width)))
      .truncated(to: room)
  }
}

/// Reads keys from standard input while this object exists; the terminal is in raw mode during that time. If standard input or output is no terminal,
/// there are no keys. While the process is in the background it doesn't read, because the keys belong to another process and reading them would stop
/// this one. Only on the loop.
@AgentLoop
package final class TerminalKeys {
  private var mode: RawMode?
  private var decoder = TerminalInputDecoder()
  private var watch: LoopWatch?
  private var escape: LoopTimer?
  private var retry: LoopTimer?
  private let pressed: @AgentLoop (Key) -> Void

  /// How often to check whether the process is in the foreground again: a shell sends no signal when it brings a running process there.
  private static let retryWait = Duration.seconds(1)
  /// Arrow keys arrive as an escape byte and further ones. If nothing follows an escape byte within this time, the escape key was pressed.
  private static let escapeWait = Duration.milliseconds(50)

  /// Begins to read; `pressed` is called for each key.
  package init(_ pressed: @escaping @AgentLoop (Key) -> Void) {
    self.pressed = pressed
    if Self.canCome { begin() }
  }

  /// Whether there is a terminal that keys can come from.
  package nonisolated static var canCome: Bool {
    Terminal.isTerminal(STDIN_FILENO) && Terminal.isTerminal(STDOUT_FILENO)
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
    // Without a terminal the music can go on.
    guard let bytes = Terminal.readAvailable(STDIN_FILENO) else { return watch = nil }
    press(decoder.decode(bytes))
    escape?.cancel()
    guard decoder.wait != nil else { return }
    escape = AgentLoop.after(Self.escapeWait) { [weak self] in
      if let self { press(decoder.flush()) }
    }
  }

  private func press(_ inputs: [TerminalInput]) { inputs.compactMap(\.plainKey).forEach(pressed) }
}
