// SPDX-License-Identifier: MIT
import CPulse
import FermataTestKit
import Glibc
import Testing

@testable import AgentLoop

@Suite("What the loop lets gather", .serialized)
struct HushTests {
  /// When each of the things has come; none at first.
  @AgentLoop
  private final class Arrivals {
    let waiter = LoopWaiter()
    private(set) var times: [String: Duration] = [:]

    func note(_ name: String) {
      times[name] = times[name] ?? AgentLoop.now
      waiter.look()
    }

    func wait(for names: String...) async throws {
      try await waiter.wait(for: "\(names)", seen: { "\(self.times)" }) {
        names.allSatisfy { self.times[$0] != nil }
      }
    }
  }

  /// A pipe with something in it that the loop is to read: by a watch of ours, or as libpulse does.
  @AgentLoop
  private final class Ready {
    private var ends: [Int32] = [0, 0]
    private var watch: LoopWatch?
    private var event: OpaquePointer?
    private let name: String
    private let arrivals: Arrivals

    init(_ name: String, watched: Bool, _ arrivals: Arrivals) {
      self.name = name
      self.arrivals = arrivals
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
      var byte: UInt8 = 0
      _ = Glibc.read(ends[0], &byte, 1)
      arrivals.note(name)
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
    try await onLoop { @AgentLoop in
      let arrivals = Arrivals()
      // For so long that the order shows how it is on the slowest machine.
      AgentLoop.gather(for: .seconds(3_600))
      defer { AgentLoop.gather(for: .zero) }
      let other = Ready("other", watched: false, arrivals)
      let own = Ready("own", watched: true, arrivals)
      defer {
        other.close()
        own.close()
      }
      AgentLoop.after(.milliseconds(1)) { arrivals.note("timer") }
      await Self.comeFromElsewhere()
      try await arrivals.wait(for: "own", "timer")
      #expect(arrivals.times["other"] == nil)
      let start = AgentLoop.now
      AgentLoop.gather(for: .milliseconds(50))
      try await arrivals.wait(for: "other")
      #expect(try #require(arrivals.times["other"]) - start >= .milliseconds(50))
    }
  }
}
