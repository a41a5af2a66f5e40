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
