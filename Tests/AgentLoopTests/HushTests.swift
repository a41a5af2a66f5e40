// SPDX-License-Identifier: MIT
import CPulse
import FermataTestKit
import Glibc
import Testing

@testable import AgentLoop

@Suite("What the loop lets gather", .serialized)
struct HushTests {
  /// A pipe with something in it that the loop is to read: by a watch of ours, or as libpulse does.
  @AgentLoop
  private final class Ready {
    private var ends: [Int32] = [0, 0]
    private var watch: LoopWatch?
    private var event: OpaquePointer?
    private(set) var readAt: Duration?

    init(watched: Bool) {
      precondition(pipe(&ends) == 0 && write(ends[1], "x", 1) == 1)
      if watched {
        watch = LoopWatch(descriptor: ends[0]) { [weak self] _ in self?.read() }
      } else {
        let api = AgentLoop.executor.api
        event = api.pointee.io_new(
          api, ends[0], .PA_IO_EVENT_INPUT,
          { _, _, _, _, this in
            AgentLoop.assume(this) { Unmanaged<Ready>.fromOpaque($0!).takeUnretainedValue().read() }
          }, Unmanaged.passUnretained(self).toOpaque())
      }
    }

    private func read() {
      readAt = readAt ?? AgentLoop.now
      var byte: UInt8 = 0
      _ = Glibc.read(ends[0], &byte, 1)
    }

    func close() {
      watch = nil
      if let event { AgentLoop.executor.api.pointee.io_free(event) }
      for end in ends { Glibc.close(end) }
    }
  }

  /// Another thread wakes the loop.
  @concurrent private static func comeFromElsewhere() async { await AgentLoop.task {}.value }

  @Test("what libpulse has to read waits; watches, timers and other threads do not, and nothing is lost")
  func gather() async throws {
    let (other, own, timer, thread, start) = try await onLoop { @AgentLoop in
      let start = AgentLoop.now
      AgentLoop.gather(for: .milliseconds(500))
      let other = Ready(watched: false)
      let own = Ready(watched: true)
      var timer = Duration.zero
      AgentLoop.after(.milliseconds(1)) { timer = AgentLoop.now }
      await Self.comeFromElsewhere()
      let thread = AgentLoop.now
      await withUnsafeContinuation { continuation in
        AgentLoop.after(.milliseconds(600)) { continuation.resume() }
      }
      defer {
        other.close()
        own.close()
      }
      return (other.readAt, own.readAt, timer, thread, start)
    }
    let half = Duration.milliseconds(500)
    #expect(try #require(other) - start >= half)
    #expect(try #require(own) - start < half)
    #expect(timer - start < half && thread - start < half)
  }
}
