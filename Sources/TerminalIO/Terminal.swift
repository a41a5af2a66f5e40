// SPDX-License-Identifier: MIT
import Glibc

/// What is known about the terminal behind a descriptor.
package enum Terminal {
  /// Whether there is one.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// How many columns it has; none where there is no terminal or it doesn't know.
  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Lets a write to a pipe that nobody reads fail instead of ending the process, which would skip every clean-up. Call it once,
  /// before the first write.
  package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Puts something that refuses to be read or written in place of standard streams that the process was started without. What it
  /// opens next would be one of them, and what is meant for people would go into a database or to the bus. Call it first.
  package static func holdStandardStreams() {
    for (stream, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is taken, and those below are taken already.
      _ = unsafe open("/dev/null", way)
    }
  }

  /// Whether this is the terminal from whose background the process runs: it ends with that, as a rule, and what it writes comes
  /// between what is typed there.
  package static func isBackground(of descriptor: Int32) -> Bool {
    isTerminal(descriptor) && !isForeground(descriptor)
  }

  /// Whether the process may read and change the terminal. From the background it would be stopped for trying. A terminal that isn't
  /// the controlling one doesn't ask.
  package static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }
}
