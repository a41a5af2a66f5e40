// SPDX-License-Identifier: MIT
package import AudioModel
import Glibc
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

/// A ring buffer of whole frames between one writing and one reading thread, without locks.
///
/// `write` belongs to the writing thread and `read` to the reading one; both may read the counts. Each side changes only its own count, and only
/// after it has finished with the samples, so that the other never sees half of a frame.
@safe
final class SampleRing: @unchecked Sendable {
  // Unchecked, but safe: the acquire and release of the two counts make sure that only one thread uses each part of the memory at a time.
  private let memory: UnsafeMutableBufferPointer<Float>
  let capacity: Int
  let channels: Int
  private let writtenFrames = Atomic<Int>(0)
  private let readFrames = Atomic<Int>(0)

  /// A ring with room for exactly this many frames. When it has been filled once, all of its memory is in use.
  init(frames: Int, channels: Int) {
    precondition(frames > 0 && channels > 0)
    capacity = frames
    self.channels = channels
    // Spans need initialised memory. The zeroed pages from calloc take no memory until they are used.
    guard let zeroed = unsafe calloc(frames * channels, MemoryLayout<Float>.stride) else {
      fatalError("no memory for \(frames) frames")
    }
    unsafe memory = UnsafeMutableBufferPointer(
      start: zeroed.bindMemory(to: Float.self, capacity: frames * channels), count: frames * channels)
  }

  deinit { unsafe free(memory.baseAddress) }

  var written: Int { writtenFrames.load(ordering: .acquiring) }
  var read: Int { readFrames.load(ordering: .acquiring) }
  /// Frames that could be written now.
  var room: Int { capacity - (written - read) }

  /// Writing thread: calls `body` with the next free room in one piece, at most `limit` frames. `body` fills its front and returns how many frames it
  /// made; this returns the same number. If there is no room it returns 0 and does not call `body`.
  func write<Failure: Error>(
    upTo limit: Int, _ body: (inout MutableSpan<Float>) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let start = writtenFrames.load(ordering: .relaxed)
    let free = capacity - (start - readFrames.load(ordering: .acquiring))
    let index = start % capacity
    let count = min(free, limit, capacity - index)
    guard count > 0 else { return 0 }
    var span = unsafe MutableSpan(
      _unsafeElements: UnsafeMutableBufferPointer(
        rebasing: memory[index * channels..<(index + count) * channels]))
    let made = try body(&span)
    precondition((0...count).contains(made), "a decoder claims \(made) frames in room for \(count)")
    writtenFrames.store(start + made, ordering: .releasing)
    return made
  }

  /// Reading thread: moves at most `limit` frames into `output`, as many as there are and as fit. Returns their number.
  func read(upTo limit: Int, into output: inout OutputSpan<Float>) -> Int {
    let start = readFrames.load(ordering: .relaxed)
    let available = writtenFrames.load(ordering: .acquiring) - start
    let count = min(available, limit, output.freeCapacity / channels)
    guard count > 0 else { return 0 }
    let index = start % capacity
    let first = min(count, capacity - index)
    copy(from: index, count: first, into: &output)
    copy(from: 0, count: count - first, into: &output)
    readFrames.store(start + count, ordering: .releasing)
    return count
  }

  private func copy(from index: Int, count: Int, into output: inout OutputSpan<Float>) {
    guard count > 0 else { return }
    unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
      let source = unsafe UnsafeBufferPointer(rebasing: memory[index * channels..<(index + count) * channels])
      unsafe (buffer.baseAddress.unsafelyUnwrapped + initialized).initialize(
        from: source.baseAddress.unsafelyUnwrapped, count: source.count)
      initialized += source.count
    }
  }
}
