// SPDX-License-Identifier: MIT
package import AudioModel
import Synchronization

/// A stretch of sound of one format, made by the producer and played by one stream: one track, or several without a
/// gap.
///
/// The producer's thread writes it, the loop's thread reads it. It also keeps the table that says which track each of
/// its frames belongs to.
package final class SoundSegment: Sendable {
  /// A run of frames of one track. It goes from the segment's frame `start` to the next part, and begins with the
  /// track's frame `trackFrame`.
  package struct Part: Sendable, Equatable {
    /// The number of the track's request.
    package let play: PlayID
    /// The frame at which this part begins, counted from the beginning of the segment.
    package let start: Int
    /// The number of that frame within its track.
    package let trackFrame: Int
    /// How many frames the track has.
    package let length: SoundLength
    /// How the track's file is coded; nil if nobody knows.
    package var coding: SoundCoding? = nil
  }

  package let format: AudioFormat
  let ring: SampleRing
  private let parts = Mutex<[Part]>([])
  // Whether the loop found fewer frames than it wanted, and waits for others. The producer clears it when it tells the loop of new ones.
  private let isAwaited = Atomic<Bool>(true)

  init(format: AudioFormat, buffer: Duration) {
    self.format = format
    ring = SampleRing(frames: max(1, format.frames(in: buffer)), channels: format.channels)
  }

  /// How many frames the producer has decoded into the segment.
  package var made: Int { ring.written }
  /// How many frames the loop has taken out of the segment, to have them played.
  package var taken: Int { ring.read }

  /// Whether half of the ring is free, so that the producer should be woken if it sleeps.
  package var isHalfEmpty: Bool { ring.room >= ring.capacity / 2 }

  /// The parts that begin before a frame, in order. Parts that ended more than a minute before the last frame read may be left out.
  package func parts(before frame: Int) -> [Part] {
    parts.withLock { parts in parts.filter { $0.start < frame } }
  }

  /// The part of a track, the last one if there are several; nil if there is none.
  package func part(of play: PlayID) -> Part? {
    parts.withLock { parts in parts.last { $0.play == play } }
  }

  /// Reading thread: moves at most `limit` frames into `output`, and returns their number. If `output` has room for more, the producer sends `more`
  /// as soon as there are more.
  package func take(upTo limit: Int, into output: inout OutputSpan<Float>) -> Int {
    let wanted = min(limit, output.freeCapacity / format.channels)
    var taken = ring.read(upTo: wanted, into: &output)
    while taken < wanted {
      isAwaited.store(true, ordering: .relaxed)
      // The producer may have made frames before it could see the flag, and then it sent no event. So look once more.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      let more = ring.read(upTo: wanted - taken, into: &output)
      if more == 0 { break }
      taken += more
    }
    return taken
  }

  // MARK: Writing thread

  /// Call it when frames were made. Returns whether the loop waits for them; the caller then has to tell it, and it no longer counts as waiting.
  func endWait() -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return isAwaited.load(ordering: .relaxed) && isAwaited.exchange(false, ordering: .relaxed)
  }

  func append(_ part: Part) {
    parts.withLock { parts in
      // Parts that ended a minute before the last frame read are dropped: nobody asks for them, and the table must not grow while a queue plays for
      // weeks.
      let read = ring.read - format.rate * 60
      if let current = parts.lastIndex(where: { $0.start <= read }), current > 0 {
        parts.removeFirst(current)
      }
      parts.append(part)
    }
  }
}
