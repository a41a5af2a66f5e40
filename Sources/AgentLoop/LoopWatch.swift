// SPDX-License-Identifier: MIT
import CLinux
import CPulse
import Glibc

/// Watches a file descriptor on the loop until this object is released.
///
/// The descriptor still belongs to its owner, who closes it after the watch has ended.
@AgentLoop
@safe
package final class LoopWatch {
  /// What a descriptor can be ready for.
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

  private let handler: @AgentLoop (Events) -> Void
  // Freed in `deinit`, after which the main loop makes no further call; until then `self` is alive for its callbacks.
  private var event: OpaquePointer?

  /// What is waited for. Empty pauses the watch; `hangup` alone waits only for the other end to go.
  package var events: Events {
    didSet {
      guard events != oldValue else { return }
      unsafe AgentLoop.executor.api.pointee.io_enable(event, events.flags)
    }
  }

  /// Calls `handler` on the loop whenever `descriptor` is ready for one of `events`. The handler may release the watch.
  package init(descriptor: Int32, events: Events = .readable, handler: @escaping @AgentLoop (Events) -> Void)
  {
    self.handler = handler
    self.events = events
    let api = unsafe AgentLoop.executor.api
    unsafe event = api.pointee.io_new(
      api, descriptor, events.flags,
      { _, _, _, flags, watch in
        unsafe AgentLoop.assume((flags, watch)) { unsafe LoopWatch.ready($0.0, $0.1) }
      },
      Unmanaged.passUnretained(self).toOpaque())
  }

  isolated deinit {
    unsafe AgentLoop.executor.api.pointee.io_free(event)
  }

  private static func ready(_ flags: pa_io_event_flags_t, _ watch: UnsafeMutableRawPointer?) {
    // The pointer given to io_new above; the local reference keeps the watch alive while its handler lets go of it.
    guard let watch = unsafe watch else { return }
    let this = unsafe Unmanaged<LoopWatch>.fromOpaque(watch).takeUnretainedValue()
    this.handler(Events(flags))
  }
}

extension LoopWatch.Events {
  fileprivate var flags: pa_io_event_flags_t {
    guard !isEmpty else { return [] }
    var flags: pa_io_event_flags_t = [.PA_IO_EVENT_HANGUP, .PA_IO_EVENT_ERROR]
    if contains(.readable) { flags.insert(.PA_IO_EVENT_INPUT) }
    if contains(.writable) { flags.insert(.PA_IO_EVENT_OUTPUT) }
    return flags
  }

  fileprivate init(_ flags: pa_io_event_flags_t) {
    self = []
    if flags.contains(.PA_IO_EVENT_INPUT) { insert(.readable) }
    if flags.contains(.PA_IO_EVENT_OUTPUT) { insert(.writable) }
    if flags.contains(.PA_IO_EVENT_HANGUP) { insert(.hangup) }
    if flags.contains(.PA_IO_EVENT_ERROR) { insert(.error) }
  }
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

  /// Calls `handler` with the number of each signal of `signals` that arrives.
  ///
  /// Traps when the system has no descriptor left, which at the start of a program is a broken environment.
  package init(_ signals: [Int32], handler: @escaping @AgentLoop (Int32) -> Void) {
    self.handler = handler
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    precondition(descriptor >= 0, "no signal descriptor: errno \(errno)")
    watch = LoopWatch(descriptor: descriptor) { [weak self] _ in self?.readAll() }
  }

  isolated deinit {
    watch = nil
    close(descriptor)
  }

  private func readAll() {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while unsafe read(descriptor, &info, size) == size { handler(Int32(info.ssi_signo)) }
  }
}
