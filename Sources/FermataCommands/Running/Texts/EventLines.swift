// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel

/// What happens, a line each with the time of day. An interruption and the state that it leads to are two events with one meaning: in
/// the same second they are one line.
struct EventLines {
  private var last = ""

  /// The line of an event; nil where the one before said as much.
  mutating func line(_ news: AgentNews, _ moment: Moment) -> String? {
    let line = "\(moment.clock)  " + TerminalText.printable(EventText.text(news))
    defer { last = line }
    return line == last ? nil : line
  }
}
