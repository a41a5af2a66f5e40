// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// Describes events for a person.
enum EventText {
  static func text(_ news: AgentNews) -> String {
    switch news {
    case .state(let state, let why): PlainWords.state(state, why)
    case .nowPlaying(let face): face.map { "now playing \($0.item.displayTitle)" } ?? "nothing is current"
    case .volume(let volume): "volume \(StatusTexts.percent(volume))"
    case .repeats(let mode): "repeat \(RepeatMode(mode).rawValue)"
    case .shuffles(let mode): "shuffle \(ShuffleMode(mode).rawValue)"
    case .seeked(let position): "at \(ClockText.text(position))"
    case .skipped(_, let url, let why): "skipped \(url): \(why)"
    case .queue(let news): text(news)
    case .itemsChanged(let entries): "more is known of \(tracks(entries.count))"
    case .row(let row): row.map { "row \($0) is current" } ?? "no row is current"
    default: session(news)
    }
  }

  private static func session(_ news: AgentNews) -> String {
    switch news {
    case .routeChange(let reason, let previous, let current, _):
      PlainWords.route(reason, from: previous?.description, to: current?.description)
    // The same words as for the state that it causes, so that `EventLines` can drop the second of the two.
    case .interruptionBegan(let source, _): PlainWords.state(.interrupted, source)
    case .interruptionEnded(let source, let resumes): PlainWords.ended(source, resumes: resumes)
    default: preconditionFailure("news of the player")
    }
  }

  private static func text(_ news: QueueNews) -> String {
    let edit =
      switch news.edit {
      case .added(let runs): "\(tracks(count(runs))) added"
      case .removed(let runs): "\(tracks(count(runs))) removed"
      case .moved(let row, let count, let target): "\(tracks(count)) moved from row \(row) to \(target)"
      case .replaced: "the queue is another"
      }
    return "\(edit), \(tracks(news.length)) in the queue"
  }

  private static func count(_ runs: [RowRun]) -> Int { runs.reduce(0) { $0 + $1.count } }
  private static func tracks(_ count: Int) -> String { count == 1 ? "one track" : "\(count) tracks" }
}
