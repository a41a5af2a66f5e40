// SPDX-License-Identifier: MIT
import Glibc

/// Takes over the whole terminal for a screen while this object lives: an alternate page, each key at once, mouse and paste reports.
///
/// The terminal is restored however the process ends: when this object is released, at `exit`, and at every fatal signal that can be caught, after
/// which the process ends by the same signal. There may be one object at a time, on the main thread. The owner handles the signals of job control: it
/// calls `suspend` and `resume`.
package final class ScreenSession {
  /// Everything that the signal handlers read. A handler may run between any two instructions of the main thread. So handlers only read
  /// plain memory that was written before they were installed, and only call functions that POSIX allows in a handler.
  @unsafe private struct Memory {
    var input: Int32 = -1
    var output: Int32 = -1
    var before = termios()
    var raw = termios()
    /// The bytes that restore the terminal, up to a zero. Never freed or changed once they are here: a handler may be reading them.
    var farewell: UnsafeMutablePointer<CChar>?
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

  // Ends a picture or a title that was being sent when the last write was cut off. Elsewhere it means nothing to a terminal.
  private static let stringEnd = "\u{1B}\\"
  // Switches to the alternate page, hides the cursor, and asks for reports of pastes, of focus and of the mouse.
  private static let greeting =
    "\(stringEnd)\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\(mouseOn)"
  // Reports of buttons and of moves while one is held, with numbers that have no bound.
  private static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
  // The farewell brings the title back that was saved last.
  private static let saveTitle = "\u{1B}[22;0t"
  /// The bytes that give the window the title that it had before the screen. For whoever writes the frames to send.
  package static let formerTitle = Array("\u{1B}[23;0t\(saveTitle)".utf8)
  // A terminal without an alternate page shows the last frame still, and the shell goes on below it.
  private static let lastRow = "\u{1B}[999;1H\u{1B}[K"
  private static let farewell =
    "\u{1B}[?2026l\(mouseOff)\u{1B}[?1004l\u{1B}[?2004l\u{1B}[m\(lastRow)\u{1B}[?25h\u{1B}[23;0t\u{1B}[?1049l"
  // The bits mean: keys that send the same byte are distinguished (1), repetitions and releases are reported (2), for all keys (8), with the key
  // that is at the same place on an American keyboard (4) and with the text that each makes (16).
  private static let keyboardOn = "\u{1B}[>31u"
  private static let keyboardAgain = "\u{1B}[=31u"
  private static let keyboardOff = "\u{1B}[<u"

  private static let fatal: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2, SIGALRM,
    SIGTERM,
    SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
  ]

  private var hasKeyboard = false
  private var pictureRemoval = ""

  /// The descriptor for writing frames. It never blocks, and is another one than the shell's, whose mode is not changed.
  package var output: Int32 { unsafe Self.memory.pointee.output }

  /// Takes over the terminal of standard input and output. Throws if there is none. Traps if another object exists.
  package init() throws(TerminalError) {
    precondition(unsafe Self.memory.pointee.input < 0, "two screens at a time")
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { throw TerminalError(.mode) }
    let output = Self.openOutput()
    guard output >= 0 else { throw TerminalError(.mode) }
    unsafe Self.memory.pointee.before = Self.sane(before)
    unsafe Self.memory.pointee.raw = Self.rawMode(before)
    unsafe (Self.memory.pointee.input, Self.memory.pointee.output) = (STDIN_FILENO, output)
    setFarewell()
    for signal in Self.fatal { Self.handle(signal) }
    Self.enter(Self.greeting + Self.saveTitle)
  }

  private static func openOutput() -> Int32 {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let output = unsafe open("/proc/self/fd/1", flags)
    // After `su` the terminal still belongs to another user. By this name everybody may open their own terminal, and only that one has a foreground
    // group to ask for.
    guard output < 0, errno == EACCES, tcgetpgrp(STDOUT_FILENO) >= 0 else { return output }
    return unsafe open("/dev/tty", flags)
  }

  /// Restores the terminal for good. Nothing may be written to `output` afterwards.
  package func end() { Self.leave() }

  deinit {
    Self.leave()
    for signal in Self.fatal { _ = Glibc.signal(signal, SIG_DFL) }
    close(output)
    unsafe (Self.memory.pointee.input, Self.memory.pointee.output) = (-1, -1)
  }

  /// The bytes that switch on the keyboard protocol, with which the terminal distinguishes all keys and reports releases; the session switches it off
  /// again. They are for whoever writes the frames to send, as half a frame may be under way. Only for a terminal that supports it.
  package func useKeyboard() -> [UInt8] {
    guard !hasKeyboard else { return [] }
    hasKeyboard = true
    setFarewell()
    return Array(Self.keyboardOn.utf8)
  }

  /// The bytes that make the terminal report the mouse, as it does from the beginning, or keep the mouse for itself. For whoever writes the frames.
  package static func mouse(isOn: Bool) -> [UInt8] { Array((isOn ? mouseOn : mouseOff).utf8) }

  /// Makes these bytes go to the terminal before it is restored. They have to remove pictures, which would stay there otherwise.
  package func removePictures(by bytes: [UInt8]) {
    pictureRemoval = String(decoding: bytes, as: UTF8.self)
    setFarewell()
  }

  // A handler may run at any instruction, so the new bytes are made beside the old ones, and one pointer changes.
  private func setFarewell() {
    let keyboard = hasKeyboard ? Self.keyboardOff : ""
    let text = unsafe strdup(Self.stringEnd + pictureRemoval + keyboard + Self.farewell)
    unsafe Self.memory.pointee.hasKeyboard = hasKeyboard
    unsafe Self.memory.pointee.farewell = text
  }

  /// Restores the terminal and stops the process group, as Ctrl-Z does elsewhere. Returns when the process goes on; then call `resume`. It returns at
  /// once if the system does not stop the process, as without a shell.
  package func suspend() {
    Self.leave()
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    kill(0, SIGTSTP)
    // The owner watches this signal, so it is blocked. It is unblocked here, so that it stops the process.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Takes over the terminal again after `suspend`, or after another program may have changed it.
  package func resume() {
    // If the terminal was not restored, the keyboard protocol is on already, and the title that it shows may be the screen's own. Both are undone
    // only once.
    let isEntered = unsafe Self.memory.pointee.isEntered
    let keyboard = isEntered ? Self.keyboardAgain : Self.keyboardOn
    Self.enter(Self.greeting + (isEntered ? "" : Self.saveTitle) + (hasKeyboard ? keyboard : ""))
  }

  // A screen that was killed leaves a mode that no shell would set. In that case the terminal is restored to a mode that a person can use.
  private static func sane(_ mode: termios) -> termios {
    var mode = mode
    guard mode.c_lflag & tcflag_t(ICANON | ECHO) == 0 else { return mode }
    mode.c_lflag |= tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    mode.c_iflag |= tcflag_t(ICRNL)
    mode.c_oflag |= tcflag_t(OPOST)
    return mode
  }

  // Ctrl-C and Ctrl-Z become keys. The output mode is not changed, so that a line feed keeps its meaning.
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
    // While the process is in the background, the terminal belongs to another process.
    guard Terminal.isForeground(unsafe memory.pointee.input) else { return }
    if let farewell = unsafe memory.pointee.farewell {
      unsafe farewell.withMemoryRebound(to: UInt8.self, capacity: strlen(farewell)) {
        unsafe writeAll($0, strlen(farewell))
      }
    }
    // Keys that came in the keyboard's own mode, at least the release of the one that led here, would be rubbish for a shell.
    if unsafe memory.pointee.hasKeyboard { unsafe _ = tcflush(memory.pointee.input, TCIFLUSH) }
    set(unsafe memory.pointee.before)
  }

  // If the terminal takes no bytes for a while, the rest is dropped, because the process has to end.
  private static func writeAll(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    guard let bytes = unsafe bytes else { return }
    var written = 0
    var patience = 100
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

/// Writes frames to a terminal that may be slow, and never blocks.
///
/// While bytes of one frame wait, only the newest of the later frames is kept. When it is painted, it is compared with the frame that was really
/// sent. So a slow terminal skips frames instead of falling behind. It does not own the descriptor.
package struct FrameWriter<Frame> {
  /// Returns the bytes that change a terminal from showing the first frame to showing the second. The first is nil if it is not known what the
  /// terminal shows.
  package typealias Paint = (Frame?, Frame) -> [UInt8]

  private let descriptor: Int32
  /// The frame that the terminal shows once all bytes are written.
  private var sent: Frame?
  private var newest: Frame?
  private var bytes: [UInt8] = []
  private var written = 0

  package private(set) var isGone = false

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether bytes or a frame wait until the terminal can take more. If so, call `goOn` when the descriptor is writable.
  package var isWaiting: Bool { hasBytes || newest != nil }

  private var hasBytes: Bool { written < bytes.count }

  /// Shows a frame: at once, or when the waiting bytes are written.
  package mutating func show(_ frame: Frame, _ paint: Paint) {
    newest = frame
    if !hasBytes { paintNewest(paint) }
  }

  /// Writes waiting bytes, and then the newest frame.
  package mutating func goOn(_ paint: Paint) {
    writeSome()
    if !hasBytes { paintNewest(paint) }
  }

  /// Writes other bytes, such as a title or a question, after the waiting ones.
  package mutating func send(_ more: [UInt8]) {
    bytes += more
    writeSome()
  }

  /// Forgets what the terminal shows. The next frame is painted whole, after the bytes that wait: it would be lost behind half a control sequence.
  package mutating func forget() { sent = nil }

  /// Forgets what the terminal shows, and drops the bytes that wait. Call it only if a control sequence that was half sent has been ended by somebody
  /// else.
  package mutating func abandon() { (sent, bytes, written) = (nil, [], 0) }

  private mutating func paintNewest(_ paint: Paint) {
    guard let frame = newest else { return }
    newest = nil
    bytes += paint(sent, frame)
    sent = frame
    writeSome()
  }

  private mutating func writeSome() {
    while hasBytes {
      // The array is not empty, so it has an address.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress! + written, $0.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        isGone = true
        break
      }
    }
    (bytes, written) = ([], 0)
  }
}
