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

  /// Waits for keys, for a program that has no loop. Empty if `limit` has passed or a signal arrived; nil at the end
  /// of input. Blocks.
  package mutating func wait(atMost limit: Duration? = nil) throws(TerminalError) -> [Key]? {
    let timeout = isPending ? Self.escapeWait : limit
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&item, 1, timeout.map(Self.milliseconds) ?? -1)
    guard count >= 0 || errno == EINTR else { throw TerminalError(.read) }
    if count > 0 { return try read() }
    return count == 0 ? expire() : []
  }

  // Rounded up: a wait that ends too early would only have to be repeated.
  private static func milliseconds(_ time: Duration) -> Int32 {
    let count = (max(time, .zero) / .milliseconds(1)).rounded(.up)
    return Int32(min(count, Double(Int32.max)))
  }
}
