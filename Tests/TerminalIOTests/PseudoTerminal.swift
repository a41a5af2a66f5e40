// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// A terminal whose person is the test. Closed with it.
final class PseudoTerminal {
  /// The person's side.
  let master: Int32
  /// The program's side.
  let slave: Int32

  // TIOCSPTLCK and TIOCGPTN, whose macros can't be imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init(columns: UInt16 = 0) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(master >= 0)
    var (locked, number): (Int32, Int32) = (0, -1)
    try #require(ioctl(master, Self.setLock, &locked) == 0 && ioctl(master, Self.getNumber, &number) == 0)
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Whether it waits for whole lines and shows what is typed.
  var isCooked: Bool {
    var mode = termios()
    return tcgetattr(slave, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON) != 0
      && mode.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }
}

/// Two connected descriptors. What is written to one is read from the other. Whoever makes it closes both.
///
/// Sockets instead of a pipe, because they keep out of programs that another test starts at the same moment.
struct Channel {
  let read: Int32
  let write: Int32

  init(nonBlocking: Bool = false) throws {
    var ends: [Int32] = [-1, -1]
    let flags = SOCK_CLOEXEC.rawValue | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0, &ends) == 0)
    (read, write) = (ends[0], ends[1])
  }
}
