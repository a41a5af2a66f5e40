// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

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
