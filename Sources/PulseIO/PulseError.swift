// SPDX-License-Identifier: MIT
import CPulse

/// A failure of the sound server or of the connection to it.
package struct PulseError: Error, Equatable, CustomStringConvertible {
  /// The protocol's number for a failure.
  package struct Code: Sendable, Hashable, RawRepresentable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The server went away during the request.
    package static let connectionTerminated = Code(rawValue: Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
    /// The sink, card or stream is not there, or not any more.
    package static let noSuchEntity = Code(rawValue: Int32(PA_ERR_NOENTITY.rawValue))
    /// The stream was ended by the server or by somebody's order.
    package static let killed = Code(rawValue: Int32(PA_ERR_KILLED.rawValue))
    /// The request cannot be made now: the server is not connected, or the stream is not ready.
    package static let badState = Code(rawValue: Int32(PA_ERR_BADSTATE.rawValue))
  }

  /// The kind of failure, for code that branches on it.
  package let code: Code
  /// The attempted operation, worded to follow "cannot": "list the outputs".
  package let operation: String

  package init(_ code: Code, in operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The reason, in libpulse's words.
  package var reason: String {
    unsafe pa_strerror(code.rawValue).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }

  package var description: String { "cannot \(operation): \(reason)" }
}
