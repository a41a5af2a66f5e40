// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A terminal with kitty's keyboard protocol and, if asked for, its pictures, or one that answers as it is told, with the screen in it, as far as
/// questions, modes, keys and pictures go: it shows nothing.
final class KittyTerminal {
  static let push = "\u{1B}[>31u"
  static let pop = "\u{1B}[<u"

  /// The person's side.
  private let master: Int32
  /// Kept open, so that what was written last can be read after the program's end.
  private let slave: Int32
  let program: Child
  /// All that the program has written, without the files of pictures.
  private(set) var output = ""
  /// The pictures that it was given.
  private(set) var pictures = KittyPictures()
  private var answered = 0
  private let answers: String

  // TIOCSPTLCK and TIOCGPTN, whose macros can't be imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// What kitty answers to all questions.
  private static func answers(takesPictures: Bool) -> String {
    let pictures = takesPictures ? "\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[6;20;10t" : ""
    return "\u{1B}P>|kitty(0.36.4)\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?0u\(pictures)\u{1B}[?62c"
  }

  init(_ stage: AgentStage, takesPictures: Bool = false, answers: String? = nil) throws {
    self.answers = answers ?? Self.answers(takesPictures: takesPictures)
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
    environment["LC_ALL"] = "C.UTF-8"
    // Swift's own crash handler would take SIGQUIT and SIGSEGV.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    program = try Child(
      .named("sh", package: "dash"), ["-c", "exec \(fermata) ui <\(path) >\(path) 2>&1"],
      environment: environment, isStoppable: true)
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

  /// Waits until so many bytes have been written that nobody has read.
  func wait(forUnread count: Int32) throws {
    let deadline = Deadline.patient
    var waiting: Int32 = 0
    while waiting < count {
      if deadline.hasPassed { throw KitError("only \(waiting) bytes were written") }
      _ = ioctl(master, UInt(FIONREAD), &waiting)
      sched_yield()
    }
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
    output += String(decoding: pictures.take(buffer[..<count]), as: UTF8.self)
    // The last of the questions, after which all are answered.
    guard self.count("\u{1B}[c") > answered else { return true }
    answered += 1
    try type(answers)
    return true
  }
}

/// The pictures of a terminal with kitty's graphics protocol, read from what is written to it.
struct KittyPictures {
  /// The files that it keeps, as Base64, by the keys that number them.
  private(set) var kept: [String: [UInt8]] = [:]
  /// How many it was given as a whole.
  private(set) var given = 0
  /// How many cells were written that stand for a part of one.
  private(set) var cells = 0
  private var half: (number: String, text: [UInt8])?
  /// The bytes since a command began.
  private var command: [UInt8] = []

  /// Takes what was written, and returns it without the files.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var rest: [UInt8] = []
    for byte in bytes {
      // No other character begins with this byte.
      if byte == 0xF4 { cells += 1 }
      if command.isEmpty, byte != 0x1B {
        rest.append(byte)
        continue
      }
      command.append(byte)
      switch command.count {
      case 1: continue
      case 2 where byte == UInt8(ascii: "_"): continue
      case 3... where byte != UInt8(ascii: "\\") || command[command.count - 2] != 0x1B: continue
      case 3...: rest += run()
      default: rest += command
      }
      command = byte == 0x1B ? [byte] : []
      if byte == 0x1B { rest.removeLast() }
    }
    return rest
  }

  /// Carries the command out, and returns it without the file.
  private mutating func run() -> [UInt8] {
    let parts = command.dropLast(2).split(separator: UInt8(ascii: ";"), maxSplits: 1)
    let keys = String(decoding: parts[0].dropFirst(3), as: UTF8.self).split(separator: ",").map(String.init)
    let number = keys.first { $0.hasPrefix("i=") } ?? ""
    if keys.contains("a=t") { half = (number, []) }
    if parts.count > 1 { half?.text += parts[1] }
    if keys.contains("m=0"), let whole = half {
      // What was cut off is none.
      if whole.text.count > 100, !keys.contains("a=d") {
        (kept[whole.number], given) = (whole.text, given + 1)
      }
      half = nil
    }
    if keys.contains("a=d"), keys.contains("d=I") { kept[number] = nil }
    return Array(parts[0]) + [0x1B, UInt8(ascii: "\\")]
  }
}
