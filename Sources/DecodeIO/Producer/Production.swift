// SPDX-License-Identifier: MIT
import AudioModel

/// The work of `SoundProducer`, a step at a time: requests for sounds go in, decoded frames and events come out.
///
/// It has no thread of its own, and blocks only while a decoder reads its source. One thread uses it at a time.
final class Production {
  /// What the event loop orders the producer to do.
  enum Order: Sendable {
    /// Drop everything and play this request. If a prepared sound comes with it, its frames and its decoder are used.
    case play(SoundRequest, PreparedSound? = nil)
    /// After the track with this number, play this request, or nothing.
    case follow(PlayID, with: SoundRequest?)
    /// Drop all sound, and decode no more.
    case stop
  }

  enum Step: Equatable {
    /// Frames were made or a track ended; there may be more to do.
    case progress
    /// There is nothing to do until an order comes, or the loop takes frames and so makes room for others.
    case waiting
  }

  /// The track that is being decoded.
  private struct Current {
    let source: SoundSource
    let segment: SoundSegment
    /// How many frames the segment had before this track's first own frame.
    let madeBefore: Int
    var follower: SoundRequest?
    /// The decoder that the next track's decoder is joined to.
    let decoder: any Decoder

    /// Whether the track has made no frame so far.
    var isSilent: Bool { segment.made <= madeBefore }

    /// A track that is decoded from its file.
    init(_ source: SoundSource, in segment: SoundSegment, madeBefore: Int) {
      (self.source, self.segment, self.madeBefore, decoder) = (source, segment, madeBefore, source.decoder)
    }

    /// The last frames of the track `ended`, which were kept back for a crossfade, to be delivered now as they are. Then comes `follower`.
    init(rest source: SoundSource, of ended: Ended, in segment: SoundSegment, then follower: SoundRequest?) {
      (self.source, self.segment, self.follower, decoder) = (source, segment, follower, ended.decoder)
      madeBefore = segment.made
    }
  }

  /// A track whose last frame was decoded.
  private struct Ended {
    let request: SoundRequest
    /// The segment that has the track's frames. `end` is the first frame in it that does not belong to the track any more.
    let segment: SoundSegment
    let end: Int
    /// The track's decoder, kept so that the next track's decoder can be joined to it.
    let decoder: any Decoder
    /// The samples after `end`: they were kept back so that the next track can be mixed into them. Empty if none were.
    var rest: [Float]

    var play: PlayID { request.play }
  }

  private let buffer: Duration
  private let goesOn: () -> Bool
  private let send: (ProducerEvent) -> Void
  private var current: Current?
  /// The segment that the next track is appended to if it has the same format.
  private var segment: SoundSegment?
  /// The tracks that were decoded to their end, the latest last. The track that is being decoded, if any, follows the last one. The others are kept
  /// while they may still be heard, because the request that follows one of them may change.
  private var ended: [Ended] = []
  /// Objects that are not needed any more. Closing files and freeing megabytes takes time, so they are released after the new sound has begun.
  private var discarded: [AnyObject] = []
  private var chunk = Production.firstChunk
  private var isFilling = true

  /// How many frames the first step of a segment decodes: few, so that sound begins soon. Each further step decodes twice as many, up to `lastChunk`,
  /// so that the loop gets few events.
  private static let firstChunk = 8_192
  private static let lastChunk = 32_768
  /// After so many seconds nothing else can follow a track: that is far more than a sound server holds, so its end was heard.
  private static let longPast = 10.0
  /// How many ended tracks are remembered. If the buffer holds more tracks than this, all very short, a new request to follow the oldest of them is
  /// ignored.
  private static let mostEnded = 64
  /// How many of the latest ended tracks keep the samples that were kept back for a crossfade. Nothing can be mixed into older ones any more.
  private static let mostRests = 3

  /// `buffer` is how much decoded sound a segment holds at most. `send` is called with each event, inside `apply` or `step`. Long work ends when
  /// `goesOn` answers false.
  init(buffer: Duration, goesOn: @escaping () -> Bool = { true }, send: @escaping (ProducerEvent) -> Void) {
    (self.buffer, self.goesOn, self.send) = (buffer, goesOn, send)
  }

  // MARK: Orders

  func apply(_ order: Order) {
    switch order {
    case .play(let request, let prepared):
      reset()
      // Nobody waits for this sound, as its beginning was decoded ahead. So the sounds before it can be closed first: for some formats a process decodes,
      // and this sound then goes on in theirs instead of waiting for a new one.
      if prepared != nil { discarded = [] }
      if let prepared { begin(prepared, as: request) } else { begin(request, after: nil) }
    case .follow(let play, let request): follow(play, with: request)
    case .stop: reset()
    }
  }

  private func reset() {
    discarded = ended.map(\.decoder)
    if let current { discarded.append(current.source.decoder) }
    if let segment { discarded.append(segment) }
    (current, segment, ended) = (nil, nil, [])
  }

  private func follow(_ play: PlayID, with request: SoundRequest?) {
    if current?.source.request.play == play {
      current?.follower = request
    } else if let index = ended.lastIndex(where: { $0.play == play }) {
      follow(
        ended[index], with: request,
        begun: index + 1 < ended.count ? ended[index + 1].play : current?.source.request.play)
      // An order about any other track comes too late: the loop has left that track by now, or is about to.
    }
  }

  private func follow(_ previous: Ended, with request: SoundRequest?, begun: PlayID?) {
    if let begun {
      if begun == request?.play { return }
      // The track that was begun is not wanted any more. Its frames are in the segment after the previous track, so the new follower gets another
      // segment.
      send(.cut(previous.segment, at: previous.end))
      ended.removeSubrange((ended.lastIndex { $0.play == previous.play } ?? 0) + 1..<ended.endIndex)
      (current, segment) = (nil, nil)
      if request == nil { conclude(previous) }
    }
    if let request { begin(request, after: previous) }
  }

  // MARK: Tracks

  private func begin(_ request: SoundRequest, after previous: Ended?) {
    if let previous, !previous.rest.isEmpty, !request.crossfade.mixesIn || request.isNeighbour() {
      return finish(previous, then: request)
    }
    do throws(DecodeError) {
      let source = try SoundSource(
        request, after: previous?.decoder, over: previous?.rest ?? [], goesOn: goesOn)
      if let previous, !previous.rest.isEmpty, !source.isMixedIn {
        return finish(previous, then: request)
      }
      let segment = segment(for: source.decoder.format)
      let part = source.part(behind: segment.made)
      current = Current(source, in: segment, madeBefore: segment.made + source.lead)
      segment.append(part)
      send(.began(part, in: segment))
    } catch {
      send(.failed(play: request.play, error))
      if let previous { conclude(previous) }
    }
  }

  /// Lets the samples that were kept back of a track for a crossfade be heard as they are, because nothing is mixed with them. After them comes
  /// `request`.
  private func finish(_ previous: Ended, then request: SoundRequest?) {
    let isSame = segment === previous.segment
    let segment = segment(for: previous.segment.format)
    if !isSame, let part = previous.segment.part(of: previous.play) {
      let part = SoundSegment.Part(
        play: part.play, start: segment.made, trackFrame: part.trackFrame + previous.end - part.start,
        length: part.length, coding: part.coding)
      segment.append(part)
      send(.began(part, in: segment))
    }
    let source = SoundSource(rest: previous.rest, segment.format, of: previous.request)
    current = Current(rest: source, of: previous, in: segment, then: request)
  }

  /// Ends the sound with this track, and sends `exhausted` when all its frames are made.
  private func conclude(_ last: Ended) {
    if last.rest.isEmpty { send(.exhausted(play: last.play)) } else { finish(last, then: nil) }
  }

  private func begin(_ prepared: PreparedSound, as request: SoundRequest) {
    segment = prepared.segment
    chunk = Self.firstChunk * 2
    isFilling = true
    current = Current(SoundSource(prepared.source, as: request), in: prepared.segment, madeBefore: 0)
    if let part = prepared.segment.part(of: request.play) { send(.began(part, in: prepared.segment)) }
  }

  /// The current segment if the format is the same. Otherwise makes a new one, which is then the current one.
  private func segment(for format: AudioFormat) -> SoundSegment {
    if let segment, segment.format == format { return segment }
    let new = SoundSegment(format: format, buffer: buffer)
    segment = new
    chunk = Self.firstChunk
    isFilling = true
    return new
  }

  // MARK: Frames

  /// Decodes some frames of the current track, or goes on to the next track.
  func step() -> Step {
    guard let current else { return wait() }
    do throws(DecodeError) {
      guard let made = try makePiece(of: current) else { return wait() }
      if made == 0 { try end(current) }
      sendIfAwaited(current.segment)
    } catch {
      breakOff(current, because: error)
    }
    return .progress
  }

  /// Ends a track. Throws if the whole of it had no sound. A track that was started at its very end has none either,
  /// but that is no error.
  private func end(_ current: Current) throws(DecodeError) {
    if current.isSilent, current.source.request.start == .zero { throw .noSound(file: "the file") }
    finish(current)
  }

  private func breakOff(_ current: Current, because error: DecodeError) {
    if current.isSilent { return giveUp(current, because: error) }
    // Some frames may have been made before the error. If the loop waits for frames, it has to learn of them.
    sendIfAwaited(current.segment)
    send(.broke(play: current.source.request.play, error))
    finish(current)
  }

  private func sendIfAwaited(_ segment: SoundSegment) {
    if segment.endWait() { send(.more(segment)) }
  }

  /// Gives up a track that made no frame. Afterwards everything is as if the track could not have been opened.
  private func giveUp(_ current: Current, because error: DecodeError) {
    self.current = nil
    segment = nil
    if let previous = ended.last { send(.cut(previous.segment, at: previous.end)) }
    send(.failed(play: current.source.request.play, error))
    if let previous = ended.last { conclude(previous) }
  }

  private func wait() -> Step {
    discarded = []
    forgetLongPast()
    return .waiting
  }

  /// Lets go of the tracks after which nothing else can begin any more, since what followed them is heard. Their decoders hold their files open, and
  /// a disk with open files cannot be taken out.
  private func forgetLongPast() {
    guard let segment else { return }
    // While no track is being decoded, the next one will follow the last.
    let candidates = current == nil ? ended.dropLast() : ended[...]
    // How long the segments sounded that came after the track's own.
    var (later, behind) = (segment, 0.0)
    for (index, track) in zip(candidates.indices, candidates).reversed() {
      if track.segment !== later {
        behind += Self.seconds(later.taken, of: later)
        later = track.segment
      }
      if behind + Self.seconds(later.taken - track.end, of: later) >= Self.longPast {
        return ended.removeFirst(index + 1)
      }
    }
  }

  private static func seconds(_ frames: Int, of segment: SoundSegment) -> Double {
    Double(max(0, frames)) / Double(segment.format.rate)
  }

  /// Decodes up to `chunk` frames of a track. Returns how many were made: 0 at the end of the track, nil if its segment has no room.
  private func makePiece(of current: Current) throws(DecodeError) -> Int? {
    let left = current.source.left
    if left == 0 { return 0 }
    guard hasRoom(current.segment.ring) else { return nil }
    // The loop is told only when the whole piece is made.
    let made = try current.source.make(min(chunk, left), in: current.segment)
    chunk = min(chunk * 2, Self.lastChunk)
    return made
  }

  /// Whether to go on decoding. The ring is filled until almost no room is left, and then left alone until half of it
  /// is empty, so that the thread is seldom woken.
  private func hasRoom(_ ring: SampleRing) -> Bool {
    isFilling = ring.room >= (isFilling ? min(Self.firstChunk, ring.capacity / 2) : ring.capacity / 2)
    return isFilling
  }

  private func finish(_ finished: Current) {
    let previous = Ended(
      request: finished.source.request, segment: finished.segment, end: finished.segment.made,
      decoder: finished.decoder, rest: finished.source.takeHeld())
    // The samples that were kept back are decoded as a track of their own with the same number; together they are one ended track.
    if ended.last?.play == previous.play { ended.removeLast() }
    if ended.count == Self.mostEnded { ended.removeFirst() }
    ended.append(previous)
    if ended.count > Self.mostRests { ended[ended.count - 1 - Self.mostRests].rest = [] }
    current = nil
    if let next = finished.follower { begin(next, after: previous) } else { conclude(previous) }
  }
}
