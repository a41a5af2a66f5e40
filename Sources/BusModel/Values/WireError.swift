// SPDX-License-Identifier: MIT

/// Why a value cannot be sent, or why a value that arrived is not accepted.
package enum WireError: Error, Sendable, Hashable, CustomStringConvertible {
  case typeMismatch(expected: WireType, found: WireType)
  case nul(String)
  case tooDeep
  case tooLarge(limit: Int)
  case fileDescriptor
  case badSignature(SignatureError)
  case unreadable(String)

  /// The reason, for people.
  package var description: String {
    switch self {
    case .typeMismatch(let expected, let found): "a value of type \(found) stands where \(expected) belongs"
    case .nul(let text): "a text holds a NUL, which no message can carry: \(text.prefix(32))…"
    case .tooDeep: "values nest deeper than \(WireBudget.deepest)"
    case .tooLarge(let limit): "the message needs more than \(limit) bytes; ask for less, or in parts"
    case .fileDescriptor: "file descriptors are not taken here"
    case .badSignature(let reason): reason.description
    case .unreadable(let what): "the message holds \(what)"
    }
  }
}
