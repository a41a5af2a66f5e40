// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Watches a file descriptor on the loop until this object is released.
///
/// The descriptor still belongs to its owner, who closes it after the watch has ended.
@AgentLoop
@safe
package final class LoopWatch {
  /// The events of a descriptor that can be waited for.
  package struct Events: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = Events(rawValue: 1)
    package static let writable = Events(rawValue: 2)
    /// The other end has gone. Watched whenever `events` is not empty.
    package static let hangup = Events(rawValue: 4)
    /// The descriptor has failed. Watched whenever `events` is not empty.
    package static let error = Events(rawValue: 8)
  }

  private var id: LoopPoll.ID?

  /// The events that are waited for. Empty pauses the watch; `hangup` alone waits only for the other end to go.
  package var events: Events {
    didSet {
      guard let id, events != oldValue else { return }
      AgentLoop.executor.setEvents(events, of: id)
    }
  }

  /// Calls `handler` on the loop whenever `descriptor` is ready for one of `events`. The handler may release the watch.
  package init(descriptor: Int32, events: Events = .readable, handler: @escaping @AgentLoop (Events) -> Void)
  {
    self.events = events
    id = AgentLoop.executor.addWatch(descriptor, events) { ready in AgentLoop.assume { handler(ready) } }
  }

  isolated deinit { end() }

  /// Ends the watch before this object is released; for owners in C, which free it from within their own callbacks.
  package func end() {
    if let id { AgentLoop.executor.removeWatch(id) }
    id = nil
  }
}

/// Something that the loop does before it waits again: `body` runs once a turn while this is enabled, and the turn does not wait.
@AgentLoop
package final class LoopDeferral {
  private let id: DeferralList.ID

  /// Whether the loop calls `body`. `body` may switch itself off.
  package var isEnabled = false {
    didSet { if isEnabled != oldValue { AgentLoop.executor.setEnabled(isEnabled, deferral: id) } }
  }

  /// A deferral that is not enabled yet. `body` is not called any more once this object is released, which it may do itself.
  package init(_ body: @escaping @AgentLoop () -> Void) {
    id = AgentLoop.executor.addDeferral { AgentLoop.assume { body() } }
  }

  isolated deinit { end() }

  /// Ends the deferral before this object is released.
  package func end() { AgentLoop.executor.removeDeferral(id) }
}

/// Turns signals into calls on the loop.
///
/// The signals are blocked in the calling thread and in every thread that it starts afterwards, so make it before any
/// other thread exists. They stay blocked after this object is released: a signal that nobody expects any more must not kill
/// the process half-way through its shutdown.
@AgentLoop
package final class SignalWatch {
  private let descriptor: Int32
  private var watch: LoopWatch?
  private let handler: @AgentLoop (Int32) -> Void

  /// The signals that ask a program to end.
  package static let ending = [SIGINT, SIGTERM, SIGHUP]

  /// Calls `handler` with the number of each signal of `signals` that arrives. One that whoever started the program has set to be ignored, as `nohup`
  /// does, stays ignored; Linux would tell of it if it were blocked.
  ///
  /// Traps when the system has no descriptor left, which at the start of a program is a broken environment.
  package init(_ signals: [Int32], handler: @escaping @AgentLoop (Int32) -> Void) {
    self.handler = handler
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals where !Self.isIgnored(signal) { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    precondition(descriptor >= 0, "no signal descriptor: errno \(errno)")
    watch = LoopWatch(descriptor: descriptor) { [weak self] _ in self?.readAll() }
  }

  isolated deinit {
    watch = nil
    close(descriptor)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
  }

  private func readAll() {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while unsafe read(descriptor, &info, size) == size { handler(Int32(info.ssi_signo)) }
  }
}
