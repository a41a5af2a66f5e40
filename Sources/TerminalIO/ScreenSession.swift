// SPDX-License-Identifier: MIT
import Glibc

/// Gives the whole terminal to a screen as long as this object lives: another page than the shell's, each key at once, the mouse, pastes.
///
/// The terminal is as before however the process ends: when this object is released, at `exit`, and at every fatal signal that can be
/// caught, after which the process ends by the same signal. There may be one object at a time, on the main thread. The signals of job
/// control are the owner's: it calls `suspend` and `resume`.
package final class ScreenSession {
  /// Everything that the signal handlers read. A handler may run between any two instructions of the main thread. So handlers only read
  /// plain memory that was written before they were installed, and only call functions that POSIX allows in a handler.
  private struct Memory {
    var input: Int32 = -1
    var output: Int32 = -1
    var before = termios()
    var raw = termios()
    var leaveCount = 0
    var hasKeyboard = false
    var isEntered = false
  }

  // Never freed, since handlers may use it at any time.
  private nonisolated(unsafe) static let memory: UnsafeMutablePointer<Memory> = {
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    unsafe memory.initialize(to: Memory())
    atexit { ScreenSession.leave() }
    return unsafe memory
  }()

  /// What gives the terminal back, as bytes that a handler can write. Never freed either.
  private nonisolated(unsafe) static let farewellBytes = UnsafeMutablePointer<UInt8>.allocate(
    capacity: longestFarewell)
  private static let longestFarewell = 256

  // The page of its own, the title kept, no cursor, pastes marked, focus told, the mouse with buttons held, in numbers.
  private static let greeting =
    "\u{1B}[?1049h\u{1B}[22;0t\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?1002h\u{1B}[?1006h"
  private static let farewell =
    "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[m\u{1B}[?25h\u{1B}[23;0t\u{1B}[?1049l"
  // Keys that are the same byte elsewhere are told apart (1); that keys repeat and are let go is told (2), of all keys (8), with the
  // text that they make (16).
  private static let keyboardOn = "\u{1B}[>27u"
  private static let keyboardAgain = "\u{1B}[=27u"
  private static let keyboardOff = "\u{1B}[<u"

  private static let fatal: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2, SIGALRM,
    SIGTERM,
    SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
  ]

  private var hasKeyboard = false

  /// The descriptor to write frames to. It never blocks, and is not the shell's, whose mode is left alone.
  package var output: Int32 { unsafe Self.memory.pointee.output }

  /// Takes the terminal of standard input and output. Throws if there is none. Traps if another object exists.
  package init() throws(TerminalError) {
    precondition(unsafe Self.memory.pointee.input < 0, "two screens at a time")
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { throw TerminalError(.mode) }
    let output = unsafe open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard output >= 0 else { throw TerminalError(.mode) }
    unsafe Self.memory.pointee.before = Self.sane(before)
    unsafe Self.memory.pointee.raw = Self.rawMode(before)
    unsafe (Self.memory.pointee.input, Self.memory.pointee.output) = (STDIN_FILENO, output)
    setFarewell()
    for signal in Self.fatal { Self.handle(signal) }
    Self.enter(Self.greeting)
  }

  deinit {
    Self.leave()
    for signal in Self.fatal { _ = Glibc.signal(signal, SIG_DFL) }
    close(output)
    unsafe (Self.memory.pointee.input, Self.memory.pointee.output) = (-1, -1)
  }

  /// Has the terminal tell keys apart that are the same byte elsewhere, and when they are let go. Only for one that says that it can.
  package func useKeyboard() {
    guard !hasKeyboard else { return }
    hasKeyboard = true
    setFarewell()
    Self.write(Array(Self.keyboardOn.utf8))
  }

  private func setFarewell() {
    let bytes = Array(((hasKeyboard ? Self.keyboardOff : "") + Self.farewell).utf8)
    precondition(bytes.count <= Self.longestFarewell)
    for (index, byte) in bytes.enumerated() { unsafe Self.farewellBytes[index] = byte }
    unsafe (Self.memory.pointee.leaveCount, Self.memory.pointee.hasKeyboard) = (bytes.count, hasKeyboard)
  }

  /// Gives the terminal back and stops the process group, as Ctrl-Z does elsewhere. Returns when it goes on; then call `resume`. It also
  /// returns where the system stops nobody, as without a shell.
  package func suspend() {
    Self.leave()
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    kill(0, SIGTSTP)
    // The owner watches this signal, so it is blocked. It is taken here.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Takes the terminal again after it was given back, or after another program may have changed it.
  package func resume() {
    // A terminal that was not given back has the keyboard's mode already. To push it twice and pop it once would leave one behind.
    let keyboard = unsafe Self.memory.pointee.isEntered ? Self.keyboardAgain : Self.keyboardOn
    Self.enter(Self.greeting + (hasKeyboard ? keyboard : ""))
  }

  // A screen that was killed leaves a mode behind that no shell would set. Then the terminal is left in one that a person can use.
  private static func sane(_ mode: termios) -> termios {
    var mode = mode
    guard mode.c_lflag & tcflag_t(ICANON | ECHO) == 0 else { return mode }
    mode.c_lflag |= tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    mode.c_iflag |= tcflag_t(ICRNL)
    mode.c_oflag |= tcflag_t(OPOST)
    return mode
  }

  // Ctrl-C and Ctrl-Z are keys here. Output is not touched, so that a line feed stays one.
  private static func rawMode(_ before: termios) -> termios {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR)
    raw.c_cc.6 = 1  // VMIN: a read returns with the first byte
    raw.c_cc.5 = 0  // VTIME
    return raw
  }

  private static func enter(_ greeting: String) {
    unsafe memory.pointee.isEntered = true
    set(unsafe memory.pointee.raw)
    write(Array(greeting.utf8))
  }

  private static func write(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe writeAll($0.baseAddress, $0.count) }
  }

  private static func set(_ mode: termios) {
    var mode = mode
    unsafe _ = tcsetattr(memory.pointee.input, TCSANOW, &mode)
  }

  // MARK: In handlers, too

  private static func leave() {
    guard unsafe memory.pointee.isEntered else { return }
    unsafe memory.pointee.isEntered = false
    // In the background the terminal belongs to another process.
    guard Terminal.isForeground(unsafe memory.pointee.input) else { return }
    unsafe writeAll(farewellBytes, memory.pointee.leaveCount)
    // Keys that came in the keyboard's own mode, at least the release of the one that led here, would be rubbish for a shell.
    if unsafe memory.pointee.hasKeyboard { unsafe _ = tcflush(memory.pointee.input, TCIFLUSH) }
    set(unsafe memory.pointee.before)
  }

  // A terminal that takes nothing for a while is given up: the process has to end.
  private static func writeAll(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    guard let bytes = unsafe bytes else { return }
    var written = 0
    var patience = 20
    while written < count, patience > 0 {
      let result = unsafe Glibc.write(memory.pointee.output, bytes + written, count - written)
      if result > 0 {
        written += result
      } else if errno == EAGAIN || errno == EINTR {
        var item = unsafe pollfd(fd: memory.pointee.output, events: Int16(POLLOUT), revents: 0)
        unsafe _ = poll(&item, 1, 10)
        patience -= 1
      } else {
        return
      }
    }
  }

  // The handler is uninstalled when it is called, so raising the signal again has the signal's default effect.
  private static func handle(_ signal: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { signal in
      ScreenSession.leave()
      raise(signal)
    }
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND) | SA_NODEFER
    unsafe _ = sigaction(signal, &action, nil)
  }
}
