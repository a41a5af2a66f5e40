// SPDX-License-Identifier: MIT
import Glibc

/// Keeps a terminal in raw mode as long as this object lives: each key is delivered at once and not echoed, Ctrl-S and Ctrl-Q too.
///
/// The terminal's former mode is restored however the process ends: when this object is released, at `exit`, and at a
/// fatal signal; and also while the process is stopped. Ctrl-C and Ctrl-Z still send signals. If the program handles
/// a signal itself, that handler is left in place, and the program has to release this object. There may be one
/// object at a time, on the main thread. It does not own the descriptor.
package final class RawMode {
  /// Everything that the signal handlers read. A handler may run between any two instructions of the main thread. So
  /// handlers only read plain memory that was written before they were installed, and only call functions that POSIX
  /// allows in a handler.
  private struct Memory {
    var descriptor: Int32 = -1
    var before = termios()
    var raw = termios()
    /// The signals whose handlers are ours, one bit each.
    var signals: UInt64 = 0
  }

  // Never freed, since handlers may use it at any time. It is written on the main thread while no handler is
  // installed; the handlers read it.
  private nonisolated(unsafe) static let memory: UnsafeMutablePointer<Memory> = {
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    unsafe memory.initialize(to: Memory())
    atexit { RawMode.restore() }
    return unsafe memory
  }()

  private static let fatal = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  /// Puts a terminal, by default that of standard input, into raw mode. Throws if there is no terminal. Traps if
  /// another object exists, because the two would restore each other's mode.
  package init(_ descriptor: Int32 = 0) throws(TerminalError) {
    precondition(unsafe Self.memory.pointee.descriptor < 0, "two raw modes at a time")
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0 else { throw TerminalError(.mode) }
    unsafe Self.memory.pointee = Memory(descriptor: descriptor, before: before, raw: Self.rawMode(before))
    guard unsafe tcsetattr(descriptor, TCSANOW, &Self.memory.pointee.raw) == 0 else {
      defer { unsafe Self.memory.pointee.descriptor = -1 }
      throw TerminalError(.mode)
    }
    for signal in Self.fatal { Self.handleUnlessHandled(signal) { RawMode.died(of: $0) } }
    Self.handleUnlessHandled(SIGTSTP) { RawMode.stopped(by: $0) }
    Self.handleUnlessHandled(SIGCONT) { _ in RawMode.continued() }
  }

  deinit {
    for signal in Self.fatal + [SIGTSTP, SIGCONT] where Self.isOurs(signal) {
      _ = Glibc.signal(signal, SIG_DFL)
    }
    Self.restore()
    unsafe Self.memory.pointee.descriptor = -1
  }

  private static func rawMode(_ before: termios) -> termios {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-S would hold up the output, and the program with it.
    raw.c_iflag &= ~tcflag_t(IXON)
    raw.c_cc.6 = 1  // VMIN: a read returns with the first byte
    raw.c_cc.5 = 0  // VTIME
    return raw
  }

  private static func isOurs(_ signal: Int32) -> Bool {
    unsafe memory.pointee.signals & 1 << UInt64(signal) != 0
  }

  private static func restore() {
    guard unsafe memory.pointee.descriptor >= 0 else { return }
    unsafe set(memory.pointee.before)
  }

  private static func set(_ mode: termios) {
    var mode = mode
    let descriptor = unsafe memory.pointee.descriptor
    // While the process is in the background, the terminal belongs to another process.
    if Terminal.isForeground(descriptor) { unsafe _ = tcsetattr(descriptor, TCSANOW, &mode) }
  }

  // MARK: The handlers

  // The handler is uninstalled when it is called, so raising the signal again has the signal's default effect.

  private static func died(of signal: Int32) {
    restore()
    raise(signal)
  }

  private static func stopped(by signal: Int32) {
    let code = errno
    restore()
    raise(signal)
    // Execution continues here after SIGCONT. The system may also refuse to stop the process, if nobody could
    // continue it (as in a terminal without a shell); then no SIGCONT arrives, and raw mode has to be restored here.
    resume()
    errno = code
  }

  private static func continued() {
    let code = errno
    resume()
    errno = code
  }

  private static func resume() {
    handleUnlessHandled(SIGTSTP) { RawMode.stopped(by: $0) }
    handleUnlessHandled(SIGCONT) { _ in RawMode.continued() }
    unsafe set(memory.pointee.raw)
  }

  private static func handleUnlessHandled(
    _ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    guard unsafe action.__sigaction_handler.sa_handler == nil else { return }
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND) | SA_NODEFER | SA_RESTART
    unsafe sigaction(signal, &action, nil)
    unsafe memory.pointee.signals |= 1 << UInt64(signal)
  }
}
