// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Synchronization
import Testing

@testable import DecodeIO

@Suite("The ring of samples")
struct SampleRingTests {
  private func put(_ values: [Float], into ring: SampleRing) -> Int {
    ring.write(upTo: values.count / ring.channels) { span in
      for index in span.indices { span[index] = values[index] }
      return span.count / ring.channels
    }
  }

  private func take(_ frames: Int, from ring: SampleRing) -> [Float] {
    [Float](capacity: frames * ring.channels) { _ = ring.read(upTo: frames, into: &$0) }
  }

  @Test("frames come out as they went in, over the end of the memory too")
  func wrapping() {
    let ring = SampleRing(frames: 7, channels: 3)
    #expect(ring.capacity == 7)
    var next: Float = 0
    var expected: Float = 0
    for size in [5, 3, 7, 1, 7, 4, 6, 2, 7, 5] {
      let values = (0..<size * 3).map { next + Float($0) }
      var put = 0
      // Two stretches where the memory ends in between.
      while put < size { put += self.put(Array(values[(put * 3)...]), into: ring) }
      next += Float(size * 3)
      let taken = take(size, from: ring)
      #expect(taken == (0..<size * 3).map { expected + Float($0) })
      expected = next
    }
    #expect(ring.written == ring.read)
  }

  @Test("a full ring takes nothing, an empty one gives nothing")
  func bounds() {
    let ring = SampleRing(frames: 4, channels: 1)
    #expect(take(4, from: ring).isEmpty)
    #expect(put([1, 2, 3, 4], into: ring) == 4)
    #expect(ring.room == 0)
    #expect(put([5], into: ring) == 0)
    #expect(take(2, from: ring) == [1, 2])
    #expect(put([5, 6, 7], into: ring) == 2)
    #expect(take(9, from: ring) == [3, 4, 5, 6])
  }

  @Test("frames that the writer made stay whole when its body fails after them")
  func failure() {
    struct Failure: Error {}
    let ring = SampleRing(frames: 4, channels: 2)
    #expect(put([1, 2], into: ring) == 1)
    #expect(throws: Failure.self) {
      _ = try ring.write(upTo: 2) { _ throws(Failure) in throw Failure() }
    }
    #expect(take(4, from: ring) == [1, 2])
  }

  @Test("four million frames pass between two threads in order")
  func twoThreads() throws {
    let total = 4_000_000
    let ring = SampleRing(frames: 1_000, channels: 2)
    let thread = WriterThread(ring: ring, total: total)
    thread.start()
    var seen = 0
    var wrong = 0
    var limit = 1
    let deadline = Deadline.patient
    while seen < total {
      let samples = take(limit, from: ring)
      for frame in 0..<samples.count / 2 {
        // Exact in a float: both stay under 2²⁴.
        if samples[frame * 2] != Float(seen + frame) || samples[frame * 2 + 1] != -Float(seen + frame) {
          wrong += 1
        }
      }
      seen += samples.count / 2
      limit = limit % 700 + 1
      if samples.isEmpty {
        try #require(!deadline.hasPassed, "the writer's next frames after \(seen) do not come")
        sched_yield()
      }
    }
    thread.join()
    #expect(wrong == 0)
    #expect(ring.written == total)
  }

  private final class WriterThread: Sendable {
    private let ring: SampleRing
    private let total: Int
    private let handle = Mutex(pthread_t())

    init(ring: SampleRing, total: Int) {
      self.ring = ring
      self.total = total
    }

    func start() {
      handle.withLock { handle in
        _ = pthread_create(
          &handle, nil,
          { pointer in
            Unmanaged<WriterThread>.fromOpaque(pointer!).takeRetainedValue().write()
            return nil
          }, Unmanaged.passRetained(self).toOpaque())
      }
    }

    func join() { _ = pthread_join(handle.withLock { $0 }, nil) }

    private func write() {
      var next = 0
      while next < total {
        let made = ring.write(upTo: min(333, total - next)) { span in
          for frame in 0..<span.count / 2 {
            span[frame * 2] = Float(next + frame)
            span[frame * 2 + 1] = -Float(next + frame)
          }
          return span.count / 2
        }
        next += made
        if made == 0 { sched_yield() }
      }
    }
  }
}
