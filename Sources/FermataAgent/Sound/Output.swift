// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import PulseIO

/// One stream and the segments that are written into it one after another; all have one format. Owns the stream.
@AgentLoop
final class Output {
  /// A segment and its place in the stream.
  private struct Piece {
    let segment: SoundSegment
    /// The frame of the stream at which the segment begins; `.max` until the first of it is written.
    var base: Int
    /// Frames of the segment from this one on are not wanted any more; nil if all are wanted.
    var limit: Int?
  }

  let format: AudioFormat
  private(set) var stream: PlaybackStream?
  private var pieces: [Piece] = []
  /// The index of the piece whose frames are written now.
  private var current = 0
  /// Whether `finish` was called since the last segment was appended or all were dropped: no further segment is expected.
  private var isFinal = false
  private let tookFrames: @AgentLoop (Bool) -> Void
  private var isTold = false

  /// The server's last answer about how far the stream has played; nil before the first answer, and after `clear` until the next.
  private(set) var timing: StreamTiming?
  /// How many frames had been written when the server last had nothing left to play.
  private var ranDryAt: Int?
  /// How often the frames that were written have been forgotten, or the stream was corked. An answer that was asked for before counts no longer.
  private var restarts = 0

  /// An output without a stream yet. `tookFrames` is called when the server took frames; its argument says whether more should be decoded.
  init(format: AudioFormat, tookFrames: @escaping @AgentLoop (Bool) -> Void) {
    self.format = format
    self.tookFrames = tookFrames
  }

  /// Makes the stream; `events` is called with what happens to it.
  func open(
    on server: PulseServer, _ settings: PlaybackStream.Settings,
    events: @escaping @AgentLoop (PlaybackStream.Event) -> Void
  ) throws(PulseError) {
    stream = try PlaybackStream(
      on: server, settings, fill: { [weak self] span in self?.fill(&span) }, handler: events)
  }

  // MARK: What goes in

  /// Appends a segment after the others.
  func append(_ segment: SoundSegment) {
    dropHeard()
    pieces.append(Piece(segment: segment, base: .max))
    isFinal = false
  }

  /// Lets go of the segments that were heard to their end some time ago, because each holds memory for seconds of sound. There are several when what
  /// was to follow was replaced after its beginning had been decoded.
  private func dropHeard() {
    guard let heard = heard(at: AgentLoop.now) else { return }
    let longAgo = heard - format.frames(in: .seconds(5))
    while current > 0, pieces[1].base <= longAgo {
      pieces.removeFirst()
      current -= 1
    }
  }

  /// Call this when no further segment is expected. A stream that waits for more frames before it begins then begins with those that it has.
  func finish() {
    isFinal = true
    triggerIfDrained()
  }

  private func triggerIfDrained() { if isComplete { stream?.trigger() } }

  /// Whether all frames that were decoded have been written into the stream, and no more are expected.
  var isComplete: Bool { isFinal && isDrained }

  /// Whether the output has no segments, as after `clear` until the next one is appended.
  var isEmpty: Bool { pieces.isEmpty }

  /// The playing (one time that an entry is played) to which the last frames of the segments belong; nil if there are none.
  var lastPlay: PlayID? { pieces.last?.segment.parts(before: pieces.last?.limit ?? .max).last?.play }

  func contains(_ segment: SoundSegment) -> Bool { pieces.contains { $0.segment === segment } }

  /// Whether the segments have a part of this playing that was not cut off.
  func contains(_ play: PlayID) -> Bool {
    pieces.contains { piece in piece.segment.parts(before: piece.limit ?? .max).contains { $0.play == play }
    }
  }

  /// Drops all segments, and has the server forget the frames that were written. The segment that is appended next is heard next.
  func clear() {
    stream?.flush()
    // A timing that was requested before is from before the flush. It is ignored, because this count has changed.
    restarts += 1
    timing = nil
    pieces = []
    current = 0
    isFinal = false
  }

  /// Ends a segment before this frame, and drops the segments after it. If dropped frames were written already, they are taken back from the server.
  func cut(_ segment: SoundSegment, at frame: Int) {
    guard let index = pieces.firstIndex(where: { $0.segment === segment }) else { return }
    pieces.removeSubrange((index + 1)...)
    pieces[index].limit = frame
    current = min(current, index)
    guard let stream, pieces[index].base != .max else { return }
    let end = pieces[index].base + frame
    if stream.written > end { stream.takeBack(stream.written - end) }
  }

  func refill() { stream?.refill() }

  private func fill(_ span: inout OutputSpan<Float>) {
    while span.freeCapacity >= format.channels, current < pieces.count {
      take(into: &span)
      // A piece without a limit may still get frames, unless another piece follows it.
      let isOver = pieces[current].limit.map { pieces[current].segment.taken >= $0 } ?? isComplete(current)
      guard isOver, current + 1 < pieces.count else { break }
      current += 1
    }
    guard !isTold else { return }
    // The server asks for a refill in many small pieces, one call each. `filled` runs once, after all of them.
    isTold = true
    AgentLoop.after(.zero) { [weak self] in self?.filled() }
  }

  private func filled() {
    isTold = false
    triggerIfDrained()
    tookFrames(pieces.last?.segment.isHalfEmpty == true)
  }

  private func isComplete(_ index: Int) -> Bool {
    index + 1 < pieces.count && pieces[index].segment.taken == pieces[index].segment.made
  }

  private func take(into span: inout OutputSpan<Float>) {
    guard let stream else { return }
    if pieces[current].base == .max { pieces[current].base = stream.written + span.count / format.channels }
    let segment = pieces[current].segment
    let left = pieces[current].limit.map { max(0, $0 - segment.taken) } ?? .max
    _ = segment.take(upTo: left, into: &span)
  }

  // MARK: Orders for the stream

  func cork() {
    stream?.cork()
    // An answer about the timing that is still under way was made while the stream ran. Applied to a corked stream, it would count what the device still
    // holds as heard, so it is made invalid.
    restarts += 1
    timing = timing?.stopped(at: AgentLoop.now, written: written)
  }

  func uncork() {
    stream?.uncork()
    // After a cork, the server waits again for a full buffer before it plays.
    triggerIfDrained()
  }

  // MARK: How far it is

  /// Notes that the server has nothing left to play.
  func ranDry() { ranDryAt = written }

  /// Whether the server has run dry, and no decoded frames are there to be written. The device may still be playing the last of what was.
  private var isDry: Bool { isDrained && !pieces.isEmpty && ranDryAt == written }

  /// Whether it is dry and nothing more is expected.
  var isOver: Bool { isDry && isComplete }

  /// Whether it is dry, and the device still plays the rest.
  func isEbbing(at now: Duration) -> Bool { isDry && timing?.rest(at: now, written: written) != .zero }

  /// Whether the server plays nothing and asks for nothing, although there is sound for it. A PipeWire that stood still for seconds may lose count of
  /// what it has played, and then takes its buffer to be half full. True also for a moment after the server has said that it ran dry, as its request
  /// comes behind that: to be sure, ask it something, and look again when it has answered.
  var isForgotten: Bool {
    guard let stream, !stream.isCorked else { return false }
    return ranDryAt == written && !isDrained && !stream.isAsking
  }

  /// Asks the server how far the stream has played. If it does not answer, the last answer stays.
  func updateTiming() async {
    let asked = restarts
    guard let stream, let fresh = try? await stream.timing(), asked == restarts else { return }
    timing = isOver && !stream.isCorked ? fresh.moving : fresh
  }

  /// The stream's frame that is heard at `now`; nil if that is not known.
  func heard(at now: Duration) -> Int? { timing?.heard(at: now, written: written) }

  /// Which playings of entries the written frames belong to, and what follows them. `next` is the output after this one; `exhausted` is the playing
  /// after which nothing follows.
  func table(before next: Output?, exhausted: PlayID?) -> SoundTable {
    let stretches = pieces.filter { $0.base != .max }.flatMap { piece in
      piece.segment.parts(before: piece.limit ?? .max).map {
        SoundTable.Stretch(play: $0.play, start: piece.base + $0.start, trackFrame: $0.trackFrame)
      }
    }
    return SoundTable(stretches: stretches, end: written, ending: ending(before: next, exhausted))
  }

  private func ending(before next: Output?, _ exhausted: PlayID?) -> SoundTable.Ending {
    guard isDrained else { return .open }
    if next != nil { return .nextStream(at: written - (timing?.lead ?? 0)) }
    return exhausted.map { .silence(after: $0, at: written) } ?? .open
  }

  /// Frames written so far: where the sound ends if nothing more comes.
  var written: Int { stream?.written ?? 0 }

  /// Whether all frames that were decoded so far have been written into the stream.
  var isDrained: Bool { pieces.allSatisfy { $0.segment.taken >= $0.limit ?? $0.segment.made } }
}
