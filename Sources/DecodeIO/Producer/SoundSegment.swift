// SPDX-License-Identifier: MIT
package import AudioModel
import Synchronization

/// A stretch of sound of one format, made by the producer and played by one stream: one track, or several without a gap.
///
/// The producer's thread writes it, the loop's reads it. It is the table too that says which track each of its frames
/// belongs to.
package final class SoundSegment: Sendable {
  /// The frames from `start` on, up to the next part, are a track's from its frame `trackFrame` on.
  package struct Part: Sendable, Equatable {
    /// The request's number.
    package let track: UInt64
    /// The first frame in the segment.
    package let start: Int
    /// Which frame of the track that is.
    package let trackFrame: Int
    /// How many frames the track has.
    package let length: SoundLength
  }

  /// Of every frame.
  package let format: AudioFormat
  let ring: SampleRing
  private let parts = Mutex<[Part]>([])
  // Set by the reader when it has come up short, cleared by the writer when it tells that there is more.
  private let isHungry = Atomic<Bool>(true)

  init(format: AudioFormat, buffer: Duration) {
    self.format = format
    ring = SampleRing(frames: max(1, format.frames(in: buffer)), channels: format.channels)
  }

  /// Frames that the producer has made.
  package var made: Int { ring.written }
  /// Frames that the loop has taken.
  package var taken: Int { ring.read }

  /// Whether there is so much room that the producer, if it sleeps, should be woken.
  package var isHalfEmpty: Bool { ring.room >= ring.capacity / 2 }

  /// The part that a frame belongs to; nil before the first.
  package func part(at frame: Int) -> Part? {
    parts.withLock { parts in parts.last { $0.start <= frame } }
  }

  /// The parts that begin before a frame, in order; those that were read long ago are left out.
  package func parts(before frame: Int) -> [Part] {
    parts.withLock { parts in parts.filter { $0.start < frame } }
  }

  /// The part of a track, the last one where it is there several times.
  package func part(of track: UInt64) -> Part? {
    parts.withLock { parts in parts.last { $0.track == track } }
  }

  /// Reading thread: moves frames into `output`, at most `limit`, and returns how many. Where they are fewer than there is room
  /// for, the producer tells as soon as there are more.
  package func take(upTo limit: Int, into output: inout OutputSpan<Float>) -> Int {
    let wanted = min(limit, output.freeCapacity / format.channels)
    var taken = ring.read(upTo: wanted, into: &output)
    while taken < wanted {
      isHungry.store(true, ordering: .relaxed)
      // Frames that were made before the producer could see the flag were announced to nobody: look again.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      let more = ring.read(upTo: wanted - taken, into: &output)
      if more == 0 { break }
      taken += more
    }
    return taken
  }

  // MARK: Writing thread

  /// Whether the reader waits for the frames that were just made; asking answers it.
  func takeHunger() -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return isHungry.load(ordering: .relaxed) && isHungry.exchange(false, ordering: .relaxed)
  }

  func append(_ part: Part) {
    parts.withLock { parts in
      // What has been read long ago is asked for no more; a queue that plays for weeks must not grow a table.
      let read = ring.read - format.rate * 60
      if let current = parts.lastIndex(where: { $0.start <= read }), current > 0 {
        parts.removeFirst(current)
      }
      parts.append(part)
    }
  }
}
