// SPDX-License-Identifier: MIT
import Glibc

/// Writes text to a descriptor completely. It does not own the descriptor.
///
/// It blocks while the reader is slow, even on a non-blocking descriptor. Don't use it on the agent's loop.
package struct LineWriter: Sendable {
  /// What became of a text.
  package enum Outcome: Sendable, Hashable {
    /// All of it was written.
    case written
    /// The reader has gone, as in `fermata events | head -1`. That is not an error: the program should end quietly.
    case readerGone
  }

  private let descriptor: Int32

  /// A writer to a descriptor.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// To standard output.
  package static let output = LineWriter(STDOUT_FILENO)
  /// To standard error.
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
      // There is a byte to write, so the array has an address.
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
