// SPDX-License-Identifier: MIT
import Glibc

/// The one thread on which the agent's state lives.
///
/// Everything that owns state is `@AgentLoop`; decoding, scanning and the database have threads of their own
/// and speak to this one by enqueuing tasks. The thread is whichever one calls `run()`.
///
/// Start tasks only by `AgentLoop.task`: a continuation resumes on the *generic* executor before it hops back to
/// its actor, and without the executor preference that first await starts a thread pool.
@globalActor
package actor AgentLoop {
  /// The only instance of the actor, which the attribute `@AgentLoop` needs. Nothing is stored in it.
  package static let shared = AgentLoop()

  /// Runs the loop's jobs, timers and watched descriptors.
  package nonisolated static let executor = LoopExecutor()

  /// The loop's executor: actor and tasks share one thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe Self.executor.asUnownedSerialExecutor()
  }

  /// Runs the loop on the calling thread until `stop`, and returns the exit code given there.
  ///
  /// May be called again after it returned; never from within itself, nor from two threads.
  package nonisolated static func run() -> Int32 { executor.run() }

  /// Runs the loop on a thread of its own, for as long as the process lives. This is for tests, and for other people's programs, whose main thread is
  /// theirs; our own programs run the loop on the main thread. Later calls do nothing. Safe on any thread.
  package nonisolated static func runOnOwnThread() { ownThread }

  private nonisolated static let ownThread: Void = WorkerThread.start("fermata-loop") {
    // This thread blocks all signals, so that the system delivers the process's signals to others.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    while true { _ = run() }
  }

  /// Makes `run` return `code` as soon as the present turn is over; before `run`, makes it return at once. Any
  /// thread. Jobs still waiting are kept and run by the next `run`, if there is one. This is the hard way out:
  /// `Shutdown` is the orderly one.
  package nonisolated static func stop(_ code: Int32) { executor.stop(code) }

  /// Starts a task on the loop; it begins after the present turn. Safe on any thread.
  @discardableResult
  package nonisolated static func task<Success: Sendable>(
    _ body: sending @escaping @AgentLoop () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: executor, operation: body)
  }

  /// Starts a task on the loop that may fail; whoever keeps the task sees the error. Safe on any thread.
  @discardableResult
  package nonisolated static func task<Success: Sendable>(
    throwing body: sending @escaping @AgentLoop () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: executor, operation: body)
  }

  /// Monotonic time, counted from an instant that does not change while the machine runs. Safe on any thread.
  package nonisolated static var now: Duration { TimerQueue.now() }

  /// Calls `body` on the loop when `delay` has passed, unless the timer is cancelled before.
  ///
  /// A timer costs nothing while it waits, but each one that fires wakes the processor. So set a timer only if somebody needs its call.
  @AgentLoop @discardableResult
  package static func after(_ delay: Duration, _ body: @escaping @AgentLoop () -> Void) -> LoopTimer {
    LoopTimer(id: executor.addTimer(after: delay) { assume { body() } })
  }

  /// Enters the loop's isolation from a C callback that is known to run on its thread; traps on any other.
  ///
  /// Does for this actor what `MainActor.assumeIsolated` does for the main one. C pointers are not `Sendable`, so the body
  /// cannot capture them; pass them in as `argument`.
  package nonisolated static func assume<Argument, Result>(
    _ argument: Argument, _ body: @AgentLoop (Argument) throws -> Result
  ) rethrows -> Result {
    precondition(executor.isLoopThread, "not on the agent loop")
    return try withoutActuallyEscaping(body) { body in
      // The two types differ in isolation only, which the line above has just proved.
      try unsafe unsafeBitCast(body, to: ((Argument) throws -> Result).self)(argument)
    }
  }

  /// `assume` for a body that needs no argument.
  package nonisolated static func assume<Result>(_ body: @AgentLoop () throws -> Result) rethrows -> Result {
    try assume(()) { (_: Void) in try body() }
  }
}

/// A call that the loop will make later. Releasing this value does not cancel the call.
package struct LoopTimer: Hashable, Sendable {
  let id: TimerQueue.ID

  /// Cancels the call; does nothing if it was made already.
  @AgentLoop package func cancel() { AgentLoop.executor.cancelTimer(id) }
}
