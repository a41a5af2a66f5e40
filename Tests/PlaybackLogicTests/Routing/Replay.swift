// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

/// Something that was told, and when, in milliseconds.
struct Moment {
  let time: Int
  let event: RouteEvent

  init(_ time: Int, _ event: RouteEvent) {
    self.time = time
    self.event = event
  }
}

/// Plays a trace to a classifier, fires its timers in between, and keeps what it said.
struct Replay {
  private(set) var classifier = RouteClassifier()
  private(set) var said: [(time: Int, output: RouteEffect)] = []
  private var due: Int?

  /// A classifier that knows of no server yet.
  init() {}

  /// A classifier that has settled on `desk`, ten seconds ago.
  init(settledOn desk: Desk) {
    play(
      [Moment(-10_000, .serverFound), Moment(-9_999, desk.read)], until: -5_000)
    said = []
  }

  mutating func play(_ trace: [Moment], until end: Int? = nil) {
    for moment in trace {
      fireTimers(until: moment.time)
      hand(moment.event, at: moment.time)
    }
    if let end { fireTimers(until: end) }
  }

  private mutating func fireTimers(until time: Int) {
    while let next = due, next <= time {
      due = nil
      hand(.timer, at: next)
    }
  }

  private mutating func hand(_ event: RouteEvent, at time: Int) {
    for output in classifier.handle(event, at: .milliseconds(time)) {
      said.append((time, output))
      if case .timer(let wait) = output { due = time + Int(wait / .milliseconds(1)) }
    }
  }

  mutating func forget() { said = [] }

  var changes: [RouteChange] {
    said.compactMap { if case .change(let change) = $0.output { change } else { nil } }
  }
  var reasons: [RouteChange.Reason] { changes.map(\.reason) }
  var pauses: Bool { changes.contains(where: \.pauses) }
  /// "+0 -1 +7 -52": held at 0, released at 1, and so on.
  var holds: String {
    said.compactMap { time, output in
      switch output {
      case .hold: "+\(time)"
      case .release(sinkIsGone: _): "-\(time)"
      default: nil
      }
    }.joined(separator: " ")
  }
  func time(of output: RouteEffect) -> Int? { said.first { $0.output == output }?.time }
  var timeOfFirstChange: Int? { said.first { if case .change = $0.output { true } else { false } }?.time }
}
