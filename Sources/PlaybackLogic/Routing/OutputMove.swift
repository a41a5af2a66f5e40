// SPDX-License-Identifier: MIT
package import AudioModel

/// Decides whether our streams have gone to the output that somebody chose.
///
/// A server may refuse to move them. PipeWire at times says yes and does nothing: then it is asked again, and in the end the order has failed. If
/// there is no stream, nothing needs to move: the next one is made on that output.
package struct OutputMove: Sendable {
  /// What to do next.
  package enum Step: Sendable, Equatable {
    /// Ask the server to move the streams. If it refuses, call `refused`.
    case ask
    /// Read what the sound server says of itself again after this time, and call `next`.
    case look(after: Duration)
    /// All our streams go to the chosen output.
    case done
    /// Our streams stay where they are. The text tells a person why.
    case failed(String)
  }

  /// How long the streams may take to reach the chosen output. A server that does what it is asked for takes some milliseconds.
  package static let patience = Duration.seconds(2)
  private static let betweenLooks = Duration.milliseconds(50)
  private static let betweenOrders = Duration.milliseconds(500)

  private let sink: String
  private let start: Duration
  private var lastAsked: Duration?
  private var refusal: String?

  /// A move to the sink of this name that begins now.
  package init(to sink: String, at now: Duration) {
    (self.sink, start) = (sink, now)
  }

  /// Notes that the server refused to move the streams, and why.
  package mutating func refused(because reason: String) { refusal = reason }

  /// What to do after a reading of what the sound server says of itself. `places` are the outputs of our streams as the streams themselves were told,
  /// for PipeWire's lists claim for a second what was only ordered; nil stands for a stream that the server has not made yet.
  package mutating func next(_ world: AudioWorld, places: [Sink.Index?], at now: Duration) -> Step {
    guard let target = world.sink(named: sink) else { return .failed("the output \(sink) is gone") }
    guard let stray = places.compactMap(\.self).first(where: { $0 != target.index }) else {
      // If the server does not make the stream at all, the next attempt goes to the new output.
      return places.contains(nil) && now - start < Self.patience ? .look(after: Self.betweenLooks) : .done
    }
    let place = world.sink(stray)
    // Asked twice, and put back twice.
    if now - start >= Self.betweenOrders * 2, leads(place, to: target, in: world) { return .done }
    if let refusal { return .failed(text("the sound server refuses to move the music: \(refusal)", place)) }
    guard now - start < Self.patience else {
      return .failed(text("the sound server said yes, but did not move the music", place))
    }
    if let lastAsked, now - lastAsked < Self.betweenOrders { return .look(after: Self.betweenLooks) }
    lastAsked = now
    return .ask
  }

  /// Whether the sound is heard at the chosen output all the same. Easy Effects takes each stream back, and session managers may put a filter before an
  /// output for everybody.
  private func leads(_ place: Sink?, to target: Sink, in world: AudioWorld) -> Bool {
    place.map(world.path)?.sinks.contains { $0.index == target.index } ?? false
  }

  private func text(_ reason: String, _ place: Sink?) -> String {
    let stays = place.map { "; it stays on \($0.description)" } ?? ""
    return "\(reason)\(stays); choose it again, or move it in a mixer such as pavucontrol"
  }
}
