// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Turns signals into calls on the loop.
///
/// The signals are blocked in the calling thread and in every thread that it starts afterwards, so make it before any
/// other thread exists. They stay blocked when it ends: a signal that nobody expects any more must not kill the process
/// half-way through its shutdown.
@AgentLoop
package final class SignalWatch {
  private let descriptor: Int32
  private var watch: LoopWatch?
  private let handler: @AgentLoop (Int32) -> Void

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
