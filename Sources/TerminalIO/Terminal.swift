// SPDX-License-Identifier: MIT
import Glibc

/// Functions about the terminal behind a descriptor.
package enum Terminal {
  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of columns; nil if it is not a terminal or its width is unknown.
  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Makes a write to a pipe without a reader fail instead of ending the process, which would skip all clean-up. Call
  /// it once, before the first write.
  package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Opens `/dev/null` in place of each standard stream that the process was started without, in a mode in which
  /// using it fails. Otherwise the next file that is opened would get that number, and text meant for people would be
  /// written to a database or to the bus. Call it first.
  package static func holdStandardStreams() {
    for (stream, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(stream, F_GETFD) < 0 {
      // `open` takes the lowest free number, and all lower ones are in use by now.
      _ = unsafe open("/dev/null", way)
    }
  }

  /// Whether the process runs in the background of this terminal. Such a process usually ends with the terminal, and
  /// its output is mixed with what the user types.
  package static func isBackground(of descriptor: Int32) -> Bool {
    isTerminal(descriptor) && !isForeground(descriptor)
  }

  /// Whether the process may read and change the terminal. From the background, trying to would stop the process.
  /// True for a terminal that is not the controlling one, because that one has no such rule.
  package static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }
}
