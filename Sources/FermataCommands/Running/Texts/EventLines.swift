// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel

/// Formats events for a person, one line each with the time of day. An interruption and the state that it causes are
/// two events with the same meaning. If one follows soon after the other, only one line is written, even if other
/// events come in between.
struct EventLines {
  private typealias Told = (text: String, moment: Moment)

  private static let soon = Duration.milliseconds(500)
  private var last: Told?
  /// The last line about the state or an interruption.
  private var lastState: Told?

  /// The line for an event; nil if a recent line said the same.
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
  /// Whether it is about the playback state or about an interruption.
  fileprivate var isOfState: Bool {
    switch self {
    case .state, .interruptionBegan, .interruptionEnded: true
    default: false
    }
  }
}
