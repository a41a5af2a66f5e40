// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel

/// What happens, a line each with the time of day. An interruption and the state that it leads to are two events with one meaning: one
/// soon after the other they are one line, whatever else is told in between.
struct EventLines {
  private typealias Told = (text: String, moment: Moment)

  private static let soon = Duration.milliseconds(500)
  private var last: Told?
  /// The last that was told of what plays or interrupts.
  private var lastState: Told?

  /// The line of an event; nil where one before said as much.
  mutating func line(_ news: AgentNews, _ moment: Moment) -> String? {
    let text = TerminalText.printable(EventText.text(news))
    let former = news.isOfState ? lastState : last
    last = (text, moment)
    if news.isOfState { lastState = last }
    if let former, former.text == text, moment.time(since: former.moment) < Self.soon { return nil }
    return "\(moment.clock)  \(text)"
  }
}

extension AgentNews {
  /// Whether it tells of what plays, or of what interrupts it.
  fileprivate var isOfState: Bool {
    switch self {
    case .state, .interruptionBegan, .interruptionEnded: true
    default: false
    }
  }
}
