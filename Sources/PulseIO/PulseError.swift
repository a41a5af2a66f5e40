// SPDX-License-Identifier: MIT
import CPulse

/// What the sound server, or the way to it, refused.
package struct PulseError: Error, Equatable, CustomStringConvertible {
  /// The protocol's number for a failure.
  package struct Code: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: Int32
    /// A code from the protocol's number.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Nothing listens at the server's address.
    package static let connectionRefused = Code(rawValue: Int32(PA_ERR_CONNECTIONREFUSED.rawValue))
    /// The server went away in the middle of things.
    package static let connectionTerminated = Code(rawValue: Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
    /// The sink, card or stream is not there, or not any more.
    package static let noSuchEntity = Code(rawValue: Int32(PA_ERR_NOENTITY.rawValue))
    /// The stream was ended by the server or by somebody's order.
    package static let killed = Code(rawValue: Int32(PA_ERR_KILLED.rawValue))
    /// Asked for in a state where it cannot be had.
    package static let badState = Code(rawValue: Int32(PA_ERR_BADSTATE.rawValue))
  }

  /// For code that decides by the kind of failure.
  package let code: Code
  /// What was being done, as in "cannot …".
  package let operation: String

  /// A failure of `operation`.
  package init(_ code: Code, in operation: String) {
    self.code = code
    self.operation = operation
  }

  /// Why, in the library's words.
  package var reason: String {
    unsafe pa_strerror(code.rawValue).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }

  /// A sentence for a person.
  package var description: String { "cannot \(operation): \(reason)" }
}
