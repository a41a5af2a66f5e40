// SPDX-License-Identifier: MIT
import Glibc

/// Functions for the terminal at a descriptor.
package enum Terminal {
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of columns; nil if the descriptor is not a terminal or its width is unknown.
  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The number of rows; nil if the descriptor is not a terminal or its height is unknown.
  package static func rows(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
    return Int(size.ws_row)
  }

  /// How many pixels a cell has; nil if the descriptor is not a terminal or nobody tells.
  package static func cell(of descriptor: Int32) -> (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0,
      size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
    else { return nil }
    return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
  }

  /// The character set of the locale that the environment chooses; nil if that locale is not installed.
  package static var charset: String? {
    guard let locale = unsafe newlocale(1 << LC_CTYPE, "", nil) else { return nil }
    defer { unsafe freelocale(locale) }
    return unsafe nl_langinfo_l(Int32(CODESET), locale).map { unsafe String(cString: $0) }
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

  /// Reads standard input to its end, but not much more than `limit` bytes. Blocks, also if the descriptor is non-blocking.
  package static func readStandardInput(limit: Int) throws(TerminalError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if errno == EAGAIN {
        var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // If the wait ended because of an error on the descriptor, the next read reports it.
        guard unsafe poll(&item, 1, -1) >= 0 || errno == EINTR else { throw TerminalError(.read) }
      } else if errno != EINTR {
        throw TerminalError(.read)
      }
    }
    return bytes
  }

  /// Reads the bytes that are available, up to a few kilobytes. Empty if there are none, or if a signal interrupted the read; nil at the end of
  /// input. On a descriptor that blocks, it blocks while there is nothing to read.
  package static func readAvailable(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    return count == 0 ? nil : Array(bytes.prefix(count))
  }

  /// Whether a short text can be written at once. False for a pipe whose reader is slow, and for a terminal that is held by Ctrl-S.
  package static func takesText(_ descriptor: Int32) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&item, 1, 0) != 0
  }

  /// Whether the process runs in the background of this terminal. Such a process usually ends with the terminal, and
  /// its output is mixed with what the user types.
  package static func isBackground(of descriptor: Int32) -> Bool {
    isTerminal(descriptor) && !isForeground(descriptor)
  }

  /// Whether the process may read and change the terminal. A process in the background that tries to is stopped by the
  /// system. True for a terminal that is not the controlling one, because such a terminal stops nobody.
  package static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }
}

/// Writes text to a descriptor completely. It does not own the descriptor.
///
/// It blocks while the reader is slow, even on a non-blocking descriptor. Don't use it on the agent's loop.
package struct LineWriter: Sendable {
  /// How a write ended, if it did not throw.
  package enum Outcome: Sendable, Hashable {
    case written
    /// The reader has gone, as in `fermata events | head -1`. That is not an error: the program should end quietly.
    case readerGone
  }

  private let descriptor: Int32

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package static let output = LineWriter(STDOUT_FILENO)
  package static let errors = LineWriter(STDERR_FILENO)

  /// Writes a line and a newline.
  @discardableResult
  package func write(line: String) throws(TerminalError) -> Outcome { try write(line + "\n") }

  /// Writes a text unchanged. All of it is written unless this throws or the reader has gone.
  @discardableResult
  package func write(_ text: String) throws(TerminalError) -> Outcome { try write(Array(text.utf8)) }

  /// Writes bytes unchanged. All of them are written unless this throws or the reader has gone.
  @discardableResult
  package func write(_ bytes: [UInt8]) throws(TerminalError) -> Outcome {
    var written = 0
    while written < bytes.count {
      // The array is not empty, so it has an address.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EPIPE {
        return .readerGone
      } else if errno == EAGAIN {
        try waitUntilWritable()
      } else if errno != EINTR {
        throw TerminalError(.write)
      }
    }
    return .written
  }

  private func waitUntilWritable() throws(TerminalError) {
    var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // If the wait ended because of an error on the descriptor, the next write reports it.
    guard unsafe poll(&item, 1, -1) >= 0 || errno == EINTR else { throw TerminalError(.write) }
  }
}

/// A failed operation on a terminal, or on a pipe or file that is written to.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
  package enum Operation: String, Sendable, Hashable {
    case read, write, mode
  }

  package let operation: Operation
  /// The system's reason, an `errno`.
  package let code: Int32

  // Takes `errno` of the call that was just made.
  init(_ operation: Operation) {
    self.operation = operation
    code = errno
  }

  package var description: String {
    // `strerror` never returns null. Its text is copied before another call can overwrite it.
    unsafe String(cString: strerror(code))
  }
}
