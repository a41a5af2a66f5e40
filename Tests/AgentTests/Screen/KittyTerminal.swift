// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A terminal with kitty's keyboard protocol, with the screen in it, as far as questions, modes and keys go: it shows nothing.
final class KittyTerminal {
  static let push = "\u{1B}[>27u"
  static let pop = "\u{1B}[<u"

  /// The person's side.
  private let master: Int32
  /// Kept open, so that what was written last can be read after the program's end.
  private let slave: Int32
  let program: Child
  /// All that the program has written.
  private(set) var output = ""
  private var answered = 0

  // TIOCSPTLCK and TIOCGPTN, whose macros can't be imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init(_ stage: AgentStage) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard master >= 0 else { throw KitError("no terminal to be had") }
    var (locked, number): (Int32, Int32) = (0, -1)
    guard ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
      throw KitError("the terminal cannot be opened")
    }
    let path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    let fermata = try Program.beside("fermata").path
    var environment = stage.environment
    environment["TERM"] = "xterm-kitty"
    // Swift's own crash handler would take SIGQUIT and SIGSEGV.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    program = try Child(
      .named("sh", package: "dash"), ["-c", "exec \(fermata) ui <\(path) >\(path) 2>&1"],
      environment: environment)
  }

  deinit {
    close(slave)
    close(master)
  }

  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(master, bytes, bytes.count) == bytes.count else {
      throw KitError("the terminal takes no keys")
    }
  }

  /// How many bytes were typed that nobody has read. The program must not run.
  func unread() -> Int {
    var mode = termios()
    _ = tcgetattr(slave, &mode)
    // Otherwise only whole lines count.
    mode.c_lflag &= ~tcflag_t(ICANON)
    _ = tcsetattr(slave, TCSANOW, &mode)
    var count: Int32 = -1
    _ = ioctl(slave, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// How often these bytes were written.
  func count(_ bytes: String) -> Int { output.ranges(of: bytes).count }

  /// Reads until this holds, and answers what is asked meanwhile. `nudge` is done each time that nothing comes for a while.
  func wait(for what: String, nudge: () -> Void = {}, until holds: () throws -> Bool) throws {
    let deadline = Deadline.patient
    while try !holds() {
      if deadline.hasPassed { throw KitError("not \(what): \(output.debugDescription.suffix(2_000))") }
      if try !read() { nudge() }
    }
  }

  private func read() throws -> Bool {
    var item = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, 50) == 1 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += String(decoding: buffer[..<count], as: UTF8.self)
    // The last of the questions, after which all are answered.
    guard self.count("\u{1B}[c") > answered else { return true }
    answered += 1
    try type("\u{1B}P>|kitty(0.36.4)\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?0u\u{1B}[?62c")
    return true
  }
}
