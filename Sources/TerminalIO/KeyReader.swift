// SPDX-License-Identifier: MIT
package import CommandModel
import Glibc

/// Reads keys from a terminal in raw mode. It does not own the descriptor.
package struct KeyReader: Sendable {
  /// How long an escape byte waits for the rest of a sequence. After that it is the escape key.
  package static let escapeWait = Duration.milliseconds(50)

  private let descriptor: Int32
  private var decoder = KeyDecoder()

  package init(_ descriptor: Int32 = 0) { self.descriptor = descriptor }

  /// Whether a key sequence is incomplete. If nothing more arrives within `escapeWait`, call `expire`.
  package var isPending: Bool { decoder.isPending }

  /// Reads the keys that are available. Empty if a signal interrupted the read; nil at the end of input. Blocks while
  /// there is nothing to read, so call it when the descriptor is readable.
  package mutating func read() throws(TerminalError) -> [Key]? {
    var bytes: [UInt8] = []
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { unsafe bytes.append(contentsOf: buffer[..<count]) }
      return count
    }
    if count > 0 { return decoder.decode(bytes) }
    if count == 0 { return nil }
    // A terminal that hung up fails with an I/O error; that is the end of input.
    if errno == EIO { return nil }
    guard errno == EINTR || errno == EAGAIN else { throw TerminalError(.read) }
    return []
  }

  /// Ends an incomplete sequence that was not continued, and returns its keys: a lone escape byte is the escape key.
  package mutating func expire() -> [Key] { decoder.flush() }
}
