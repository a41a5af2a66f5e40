// SPDX-License-Identifier: MIT
package import CommandModel
import Glibc

/// Reads keys from a terminal in raw mode. The descriptor stays its owner's.
package struct KeyReader: Sendable {
  /// How long an escape byte waits for the rest of a sequence before it is the escape key.
  package static let escapeWait = Duration.milliseconds(50)

  private let descriptor: Int32
  private var decoder = KeyDecoder()

  /// A reader of a descriptor, standard input unless told otherwise.
  package init(_ descriptor: Int32 = 0) { self.descriptor = descriptor }

  /// Whether a sequence has begun: call `expire` if nothing more comes within `escapeWait`.
  package var isPending: Bool { decoder.isPending }

  /// The keys that can be read at once, none of them if a signal came in between; nil at the end. Blocks while there is nothing
  /// to read, so call it when the descriptor is readable.
  package mutating func read() throws(TerminalError) -> [Key]? {
    var bytes: [UInt8] = []
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { unsafe bytes.append(contentsOf: buffer[..<count]) }
      return count
    }
    if count > 0 { return decoder.decode(bytes) }
    if count == 0 { return nil }
    // A terminal that was hung up answers with an I/O error.
    if errno == EIO { return nil }
    guard errno == EINTR || errno == EAGAIN else { throw TerminalError(.read) }
    return []
  }

  /// Nothing more came: what a lone escape meant.
  package mutating func expire() -> [Key] { decoder.flush() }

  /// Waits for keys, for a program that has no loop: none when `limit` has passed or a signal came, nil at the end.
  package mutating func wait(atMost limit: Duration? = nil) throws(TerminalError) -> [Key]? {
    let timeout = isPending ? Self.escapeWait : limit
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&item, 1, timeout.map(Self.milliseconds) ?? -1)
    guard count >= 0 || errno == EINTR else { throw TerminalError(.read) }
    if count > 0 { return try read() }
    return count == 0 ? expire() : []
  }

  // Rounded up: a wait that ends too early would only begin again.
  private static func milliseconds(_ time: Duration) -> Int32 {
    let count = (max(time, .zero) / .milliseconds(1)).rounded(.up)
    return Int32(min(count, Double(Int32.max)))
  }
}
